// The links in mails lead to these pages.

export const MAIL_LINKS_PATH = "/mail";
export const CONFIRM_PATH = `${MAIL_LINKS_PATH}/confirm`;
export const UNSUBSCRIBE_PATH = `${MAIL_LINKS_PATH}/unsubscribe`;
export const SUBSCRIBE_PATH = `${MAIL_LINKS_PATH}/subscribe`;

// The server's name in messages to people.

export const PRODUCT = "Amazon Redshift";

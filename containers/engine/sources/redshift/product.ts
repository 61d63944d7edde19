// What the server is called, to people.

export const PRODUCT = "Amazon Redshift";

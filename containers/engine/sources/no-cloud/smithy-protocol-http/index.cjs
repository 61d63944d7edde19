// Drivers load this for logins by a cloud's own identity, or for files in its stores. A source here has a name and a
// password, and sends no file: nothing of it is ever used.
module.exports = {};

// Cube's compiler asks for its native module when it loads, and uses it only for templates and the native planner.
module.exports = {};

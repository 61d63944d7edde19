// Ramda from its one file in place of 330. That file says it is an ES module, which Cube's compiler takes for a default
// export that it lacks; a copy does not say so.
module.exports = { ...require("ramda/dist/ramda.js") };

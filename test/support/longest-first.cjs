const { default: Sequencer } = require('@jest/test-sequencer');

/** Specs that take long: whoever comes last would leave the other cores with nothing to do. */
const LONG = [/\/permissions\/(channels|organization|values)\./, /\/test\/(faults|standalone)\//];

const rank = ({ path }) => {
  const found = LONG.findIndex((pattern) => pattern.test(path));
  return found === -1 ? LONG.length : found;
};

/** On a fresh machine Jest knows of no durations yet, and begins with the largest files. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
};

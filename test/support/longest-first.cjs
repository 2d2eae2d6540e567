const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest specs are first: a long one at the end would leave the other cores idle. */
const LONG = [
  /\/laws\/register\./,
  /\/visibility\/visibility\./,
  /\/permissions\/(channels|organization|roles|values)\./,
  /\/(standalone|past)\//,
  /\/(laws\/(past|past-register|replay|sentences)|push\/register|separation\/endpoints|feed-processes|cli)\./,
  /\/(lane-failures|unit-of-work|incoming|embedded\/src\/postgres)\./,
];

const rank = ({ path }) => {
  const found = LONG.findIndex((pattern) => pattern.test(path));
  return found === -1 ? LONG.length : found;
};

/** On a fresh machine Jest has no durations yet, and begins with the largest files. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
};

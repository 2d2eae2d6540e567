/** Processes that are killed and connections that break: `npm run test:faults`. */
module.exports = {
  ...require('./jest.config.js'),
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: [],
};

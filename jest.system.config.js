/** What takes the whole system and minutes: `npm run test:system`. */
module.exports = {
  ...require('./jest.config.js'),
  roots: ['<rootDir>/test/system'],
  testRegex: '\\.system\\.ts$',
  maxWorkers: 1,
  testTimeout: 600_000,
};

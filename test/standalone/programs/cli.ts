import { reportFailed } from '@annals/embedded';

/** A setup that creates the organization the first time, which it remembers in the variable of the spec. */
async function setUp(): Promise<void> {
  const { FAKE_SETUP, ANNALS_OWNER_EMAIL, HOST, PORT } = process.env;
  if (FAKE_SETUP === 'fails') {
    await reportFailed('The database is newer than this program.');
    process.exit(1);
  }
  if (FAKE_SETUP === 'dies') process.exit(3);
  const created = FAKE_SETUP !== 'finds one';
  const apiKey = created ? 'k'.repeat(32) : null;
  console.log(JSON.stringify({ created, realmUrl: `http://${HOST}:${PORT}`, ownerEmail: ANNALS_OWNER_EMAIL, apiKey }));
}

void setUp();

/** A setup that creates the organization the first time, which it remembers in the variable of the spec. */
function setUp(): void {
  const { FAKE_SETUP, ANNALS_OWNER_API_KEY, ANNALS_OWNER_EMAIL, HOST, PORT } = process.env;
  if (FAKE_SETUP === 'dies') process.exit(3);
  const created = FAKE_SETUP !== 'finds one';
  const apiKey = created ? ANNALS_OWNER_API_KEY : null;
  console.log(JSON.stringify({ created, realmUrl: `http://${HOST}:${PORT}`, ownerEmail: ANNALS_OWNER_EMAIL, apiKey }));
}

setUp();

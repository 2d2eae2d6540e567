import { writeFileSync } from 'node:fs';
import { COMPATIBILITY, compatibility } from './compatibility';

/** `npm run compatibility`: writes the table of endpoints for authors of clients. */
compatibility()
  .then((text) => writeFileSync(COMPATIBILITY, text))
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });

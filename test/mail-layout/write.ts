import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layoutFile } from './layout-file';

/** `npm run mail-layout` writes the HTML of the layout of mails. */
const TARGET = join(__dirname, '..', '..', 'libs', 'mail', 'src', 'application', 'layout', 'html.ts');

void layoutFile().then((content) => writeFileSync(TARGET, content));

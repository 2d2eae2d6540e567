import { LAYOUT_HTML } from '../../libs/mail/src/application/layout/html';
import { layoutFile } from '../mail-layout/layout-file';

it('the layout of mails is the one that `npm run mail-layout` writes', async () => {
  expect(await layoutFile()).toContain(`\`${LAYOUT_HTML}\``);
});

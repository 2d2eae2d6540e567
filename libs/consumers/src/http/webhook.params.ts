import { BooleanParam, TextParam } from '@annals/web';
import { ConsumerParams } from './consumers.params';

/** Longer ones are refused, and are no texts of the server. */
const LONGEST_SECRET = 200;
const SECRET = '`whsec_` and the base64 of 24 to 64 bytes.';

export class WebhookParams extends ConsumerParams {
  @TextParam({ quoted: true, about: 'Where requests are sent. Their answers are not followed elsewhere.' }) url: string;
  @TextParam({
    optional: true,
    quoted: true,
    max: LONGEST_SECRET,
    about: `${SECRET} Left out: the present, or a new one.`,
  })
  secret?: string;
  @BooleanParam({ about: 'Whether a request has up to 100 events.' }) batch = false;
}

export class RotatedSecretParams extends ConsumerParams {
  @TextParam({ optional: true, quoted: true, max: LONGEST_SECRET, about: `${SECRET} Left out: a new one.` })
  secret?: string;
}

import { rejection } from '@annals/kernel/domain';

/** Neither refusal repeats what was sent, which may be a key. */
export const reject = {
  badBase64: rejection<{ name: string }>('BAD_REQUEST', ({ name }) => `${name} is not what it should be in Base64`),
  badKey: rejection('BAD_REQUEST', 'push_key is not the byte 0x31 and 32 bytes of a key'),
};

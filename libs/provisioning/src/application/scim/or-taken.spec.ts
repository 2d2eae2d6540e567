import { Rejected } from '@annals/kernel/domain';
import { orTaken } from './or-taken';

const refused = () => Promise.reject(new Rejected('BAD_REQUEST', 'in use'));
const claim = (isTaken: boolean) => orTaken(refused, () => Promise.resolve(isTaken), 'Somebody has this userName.');

describe('a name that another request took meanwhile', () => {
  it('is refused as taken, and any other refusal stays', async () => {
    await expect(claim(true)).rejects.toMatchObject({ code: 'UNIQUENESS', message: 'Somebody has this userName.' });
    await expect(claim(false)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const broken = orTaken(
      () => Promise.reject(new Error('away')),
      () => Promise.resolve(true),
      '',
    );
    await expect(broken).rejects.toThrow('away');
  });
});

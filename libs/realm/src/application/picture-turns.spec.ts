import type { RealmId, UserId } from '@annals/kernel/domain';
import { PictureTurns } from './picture-turns';

const OWN = 'Another picture that you sent is being processed. Please try again.';
const ORGANIZATION = 'Other pictures of your organization are being processed. Please try again.';
const SERVER = 'too many pictures wait to be processed';

/** Processes pictures, and has the accounts of those that have begun, such as `2:7` of organization 2. */
class Processing {
  readonly begun: string[] = [];
  private readonly turns = new PictureTurns();
  private inProgress = 0;

  /** @returns of each one that was sent at once: what it was refused with, or how many were in progress */
  async of(accounts: readonly string[], fails = ''): Promise<unknown[]> {
    const sent = accounts.map((account) => this.send(account, account === fails).catch((error: unknown) => error));
    return (await Promise.all(sent)).map((one) => (one instanceof Error ? one.message : one));
  }

  private send(account: string, fails: boolean): Promise<number> {
    const [realmId, userId] = account.split(':').map(Number) as [RealmId, UserId];
    return this.turns.run({ realmId, userId }, async () => {
      this.begun.push(account);
      this.inProgress += 1;
      await Promise.resolve();
      const all = this.inProgress;
      this.inProgress -= 1;
      if (fails) throw new Error('broken');
      return all;
    });
  }
}

describe('turns of pictures', () => {
  it('alternate between organizations, one picture at a time', async () => {
    const all = new Processing();
    expect(await all.of(['1:1', '1:2', '1:3', '2:1', '1:4', '3:1', '2:2'])).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(all.begun).toEqual(['1:1', '1:2', '2:1', '3:1', '1:3', '2:2', '1:4']);
  });

  it('refuse another picture of an account, which takes no place of others', async () => {
    const all = new Processing();
    const sent = [...Array<string>(40).fill('1:1'), '1:2', '2:1'];
    expect(await all.of(sent)).toEqual([1, ...Array<string>(39).fill(OWN), 1, 1]);
    expect(await all.of(['1:1'])).toEqual([1]);
  });

  it('refuse the seventeenth picture of an organization, and none of another one', async () => {
    const all = new Processing();
    const sent = Array.from({ length: 17 }, (_, n) => `1:${n + 1}`);
    expect(await all.of([...sent, '2:1'])).toEqual([...Array<number>(16).fill(1), ORGANIZATION, 1]);
    expect(await all.of(['1:17'])).toEqual([1]);
  });

  it('refuse what all organizations together have too many of', async () => {
    const all = new Processing();
    const sent = Array.from({ length: 65 }, (_, n) => `${n + 1}:1`);
    expect(await all.of(sent)).toEqual([...Array<number>(64).fill(1), SERVER]);
    expect(await all.of(['65:1'])).toEqual([1]);
  });

  it('go on after a picture that failed', async () => {
    const all = new Processing();
    expect(await all.of(['1:1', '2:1', '1:2'], '1:1')).toEqual(['broken', 1, 1]);
    expect(await all.of(['1:1'])).toEqual([1]);
  });
});

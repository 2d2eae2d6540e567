import type { Browser } from 'playwright-core';
import { ManualClock } from '@annals/kernel/domain';
import type { Instant } from '@annals/kernel/domain';
import { Secret, TOTP } from 'otpauth';
import { invite } from '../../support/invitations/invitations';
import { secrets } from '../../support/laws/secrets';
import { laterMailsTo, unsubscribePath } from '../../support/mail/missed';
import { outboxOf } from '../../support/mail/outbox';
import { describeInChromium, startChromium } from '../../support/server/chromium';
import { granted } from '../../support/server/caller';
import { SignOnTestFile } from '../../support/sign-on/sign-on-file';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import { Phone } from './phone';

const EMAIL = 'noor@example.com';
const FIRST = 'a password of eleven words';
const SECOND = 'another password of twelve words';
const PROVIDER = {
  ...{ display_name: 'Example account', issuer: 'https://id.example.com' },
  ...{ client_id: 'annals', client_secret: 'the secret of this server at the provider' },
};
const STEP_MS = 30_000;

describeInChromium('a person with a phone that runs no script', () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1) as Instant);
  let file: SignOnTestFile;
  let server: TestServer;
  let browser: Browser;
  let phone: Phone;
  let app: TOTP;
  beforeAll(async () => {
    file = await SignOnTestFile.of({ openid_connect: { example: PROVIDER } });
    server = await startTestServer({ clock, env: file.env });
    browser = await startChromium();
    phone = await Phone.of(browser, server.url);
    for (const password of [FIRST, SECOND]) secrets.add('password', password);
  });
  afterAll(async () => {
    await phone.close();
    await browser.close();
    await server.close();
    await file.drop();
  });

  /** The newest link to a page in a mail to the person. */
  async function mailed(path: string, email = EMAIL): Promise<string> {
    const mail = (await outboxOf(server)).findLast(({ to, text }) => to.includes(email) && text.includes(path));
    const link = mail?.links.find((one) => one.includes(path));
    if (link === undefined) throw new Error(`no mail has a link to ${path}`);
    return link;
  }
  const code = () => {
    clock.advance(STEP_MS);
    return app.generate({ timestamp: clock.now() });
  };
  const logIn = (password: string, next: string) =>
    phone.fill({ 'Email address': EMAIL, Password: password }, 'Log in', next);

  it('joins by the link in the mail of an invitation', async () => {
    granted(await invite(server.owner, EMAIL));
    await phone.open(await mailed('/join/'), 'join');
    expect(await phone.filledIn()).toEqual({ full_name: 'name', password: 'new-password' });
    expect(await phone.text()).toContain('Join with Example account');
    await phone.fill({ 'Your name': 'Noor', 'Choose a password': 'password' }, 'Join', 'join-weak');
    expect(await phone.problemOf('Choose a password')).toBe('The password is too weak.');
    await phone.fill({ 'Choose a password': FIRST }, 'Join', 'welcome');
    expect(phone.path).toBe('/welcome');
  });

  it('logs out, and in with a password', async () => {
    await phone.open('/account', 'account-new');
    await phone.press('Log out', 'logged-out');
    expect(await phone.filledIn()).toEqual({ username: 'username', password: 'current-password' });
    expect(await phone.text()).toContain('Log in with Example account');
    await logIn('not the password', 'login-wrong');
    expect(await phone.text()).toContain('Your username or password is incorrect');
    await logIn(FIRST, 'account');
    expect(phone.path).toBe('/account');
    await phone.press('Log out', 'logged-out');
  });

  it('chooses another password by the link in a mail', async () => {
    await phone.page.getByRole('link', { name: 'Forgot your password?' }).click();
    await phone.fill({ 'Email address': EMAIL }, 'Send a link', 'reset-sent');
    await phone.open(await mailed('/accounts/password/reset/'), 'reset');
    expect(await phone.filledIn()).toEqual({ new_password: 'new-password' });
    await phone.fill({ 'New password': 'short' }, 'Choose a password', 'reset-weak');
    expect(await phone.problemOf('New password')).toBe('The password is too weak.');
    await phone.fill({ 'New password': SECOND }, 'Choose a password', 'login-new-password');
    await logIn(SECOND, 'account');
    expect(phone.path).toBe('/account');
  });

  it('ends the key of a program and the session of another browser', async () => {
    granted(await server.anonymous.post('/fetch_api_key', { username: EMAIL, password: SECOND }));
    const other = await Phone.of(browser, server.url);
    await other.open('/login', 'login');
    await other.fill({ 'Email address': EMAIL, Password: SECOND }, 'Log in', 'account');
    await phone.open('/account', 'account-full');
    const ends = (what: string) => phone.page.locator(`form[action*="/${what}/"] button`);
    expect([await ends('sessions').count(), await ends('api_keys').count()]).toEqual([2, 1]);
    await ends('api_keys').click();
    await phone.page.locator('li', { hasNotText: 'this one' }).locator('form[action*="/sessions/"] button').click();
    await phone.open('/account', 'account');
    expect([await ends('sessions').count(), await ends('api_keys').count()]).toEqual([1, 0]);
    await other.open('/account', 'login');
    expect([other.path, other.findings]).toEqual(['/login', { login: [], account: [] }]);
    await other.close();
  });

  it('sets up an app for codes, and logs in with a code', async () => {
    await phone.open('/account/two-factors', 'two-factors');
    expect(await phone.filledIn()).toEqual({ code: 'one-time-code', password: 'current-password' });
    const uri = await phone.page.getByRole('link', { name: 'Open the app on this phone' }).getAttribute('href');
    const secret = new URL(uri ?? '').searchParams.get('secret') ?? '';
    secrets.add('app', secret);
    app = new TOTP({ secret: Secret.fromBase32(secret) });
    const filled = (digits: string) => ({ 'Six digits of the app': digits, 'Current password': SECOND });
    await phone.fill(filled('000000'), 'Need a code for logins', 'two-factors-wrong');
    expect(await phone.problemOf('Six digits of the app')).toBe('This code is wrong, or was used already.');
    await phone.fill(filled(code()), 'Need a code for logins', 'recovery-codes');
    for (const one of await phone.page.locator('.codes code').allInnerTexts()) secrets.add('recovery code', one);
    await phone.open('/account', 'account-protected');
    await phone.press('Log out', 'logged-out');
    await logIn(SECOND, 'code');
    expect(await phone.filledIn()).toEqual({ code: 'one-time-code' });
    await phone.fill({ Code: '000000' }, 'Log in', 'code-wrong');
    expect(await phone.problemOf('Code')).toBe('This code is wrong, or was used already.');
    await phone.fill({ Code: code() }, 'Log in', 'account');
    expect(phone.path).toBe('/account');
    await phone.open('/account/two-factors', 'two-factors-end');
  });

  it('may not end two-factor login of somebody else, as an owner may', async () => {
    const path = '/account/two-factors/others';
    const others = (of: Phone) => of.page.getByRole('link', { name: 'End two-factor login of somebody else' });
    const end = (of: Phone, email: string, name: string) =>
      of.fill({ 'Email address': email }, 'End two-factor login', name);
    expect(await others(phone).count()).toBe(0);
    await phone.open(path, 'others-member');
    await end(phone, server.owner.email, 'others-refused');
    expect(await phone.problemOf('Email address')).toBe('Must be an organization owner');
    const owner = await Phone.of(browser, server.url);
    await owner.open('/login', 'login');
    const { email, password } = server.owner;
    await owner.fill({ 'Email address': email, Password: password }, 'Log in', 'account');
    await owner.open('/account/two-factors', 'two-factors');
    expect(await others(owner).count()).toBe(1);
    await owner.open(path, 'others');
    await end(owner, 'nobody@example.com', 'others-unknown');
    expect(await owner.problemOf('Email address')).toBe('No such user');
    await end(owner, EMAIL, 'others-ended');
    expect(await owner.text()).toContain(`The password of ${EMAIL} is enough to log in again.`);
    expect([owner.complaints, Object.values(owner.findings).flat()]).toEqual([[], []]);
    await owner.close();
    await phone.open('/account', 'account');
    await phone.press('Log out', 'logged-out');
    await logIn(SECOND, 'account');
    expect(phone.path).toBe('/account');
  });

  it('confirms a new email, and ends mails, with links of mails', async () => {
    const email = 'another@example.com';
    const person = await server.person();
    const message = { type: 'direct', to: [person.id], content: 'Hello!' };
    granted(await server.owner.post('/messages', message));
    await phone.open(unsubscribePath((await laterMailsTo(server, person)).at(-1)), 'unsubscribe');
    await phone.press('Yes, end these mails', 'unsubscribed');
    granted(await person.patch('/settings', { email }));
    await phone.open(await mailed('/accounts/confirm_new_email/', email), 'confirm-email');
    await phone.press('Confirm the new email address', 'email-confirmed');
    expect(await phone.text()).toContain('Your email address was changed');
    await phone.page.getByRole('link', { name: 'Log in' }).click();
    // Who is logged in is sent on. A page that is left before it is loaded counts as a failed request.
    await phone.page.waitForURL(/\/account$/);
  });

  it.each([
    ['identities', '/account/identities'],
    ['register-closed', '/register'],
    ['link-ended', '/join/0'],
    ['link-of-mail-ended', '/accounts/password/reset/0'],
    ['email-link-ended', '/accounts/confirm_new_email/0'],
    ['unsubscribe-ended', '/unsubscribe/0'],
    ['way-unknown', '/accounts/login/social/oidc/nowhere'],
    ['not-found', '/nowhere'],
    ['front', '/'],
  ])('sees a page that is in order: %s', async (name, address) => {
    await phone.open(address, name);
    expect(await phone.page.locator('h1').innerText()).not.toBe('');
  });

  it('saw nothing that a person or a browser complains about', () => {
    expect(phone.complaints).toEqual([]);
    expect(Object.entries(phone.findings).filter(([, found]) => found.length > 0)).toEqual([]);
    expect(Object.keys(phone.findings).length).toBeGreaterThan(20);
  });

  it.each([
    ['ar', 'rtl', 'ar', 'تسجيل الدخول'],
    ['fa', 'rtl', 'fa', 'ورود'],
    ['bqi', 'rtl', 'bqi', 'ورود'],
    ['he', 'ltr', 'en', 'Log in'],
    ['de', 'ltr', 'de', 'Anmelden'],
    ['pt-BR', 'ltr', 'pt-br', 'Entrar'],
    ['zh-TW', 'ltr', 'zh-tw', '登入'],
    ['ta', 'ltr', 'ta', 'உள்நுழை'],
  ])('reads the pages in the language of the phone: %s', async (language, direction, chosen, button) => {
    const reader = await Phone.of(browser, server.url, language);
    await reader.open('/login', `login-${language}`);
    const root = reader.page.locator('html');
    expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual([chosen, direction]);
    expect(await reader.page.getByRole('button').innerText()).toBe(button);
    for (const page of ['/accounts/password/reset', '/register', '/nowhere'])
      await reader.open(page, `${page.slice(1)}-${language}`.replaceAll('/', '-'));
    expect(reader.complaints).toEqual([]);
    expect(Object.values(reader.findings).flat()).toEqual([]);
    await reader.close();
  });

  it('reads light letters on dark paper at night', async () => {
    /** How much lighter the letters are than the paper. */
    const contrast = async () => {
      const style = 'getComputedStyle(document.body)';
      const [letters = '', paper = ''] = await phone.page.evaluate<string[]>(
        `[${style}.color, ${style}.backgroundColor]`,
      );
      return brightness(letters) - brightness(paper);
    };
    await phone.page.emulateMedia({ colorScheme: 'light' });
    const day = await contrast();
    await phone.page.emulateMedia({ colorScheme: 'dark' });
    expect([day < 0, (await contrast()) > 0]).toEqual([true, true]);
  });
});

/** Of `rgb(1, 2, 3)`, from 0 to 765. */
const brightness = (colour: string): number =>
  (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, one) => sum + Number(one), 0);

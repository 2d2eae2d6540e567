import type { RealmId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import { SESSION_AGE_MS, isAboutName, isWeakPassword } from '@annals/users';
import type { Bytes } from '@annals/web';
import {
  AtRealm,
  MailRequests,
  Page,
  PageVisit,
  Params,
  PathText,
  SESSION_COOKIE,
  TextParam,
  TickedParam,
  Visit,
} from '@annals/web';
import { html, linkButton } from '@annals/web';
import { RealmFacts } from '@annals/realm';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isEmail } from 'class-validator';
import { Join } from '../../application/join';
import { JoinAddresses } from '../../application/join-addresses';
import { OpenLinks } from '../../application/open-links';
import { RequestRegistration } from '../../application/registrations';
import { reject } from '../../domain/rejections';
import { CHANNEL_GROUPS } from './channel-choices';
import { JoinForms } from './join-forms';

class LinkParams {
  @PathText({ min: 1, max: 100 }) key: string;
}

class JoinParams extends LinkParams {
  @TextParam({ max: 1_000 }) full_name: string;
  @TextParam({ max: 1_000 }) password: string;
  @TickedParam({ name: CHANNEL_GROUPS }) channelGroups: readonly number[] = [];
}

class AddressParams {
  @TextParam({ trim: true, max: 1_000 }) email: string;
}

class LinkAddressParams extends LinkParams {
  @TextParam({ trim: true, max: 1_000 }) email: string;
}

/** Longest address, in characters. */
const MAX_EMAIL = 254;

/** The pages on which people join: by an invitation, by a link, or because everybody may. */
@Controller()
export class JoinPages {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: OpenLinks,
    private readonly forms: JoinForms,
    private readonly mails: MailRequests,
    private readonly realms: RealmFacts,
    private readonly addresses: JoinAddresses,
  ) {}

  @Page('GET', '/register', { audience: 'public', summary: 'Join where everybody may' })
  async register(@Visit() visit: PageVisit, @AtRealm() realm: RealmId): Promise<Bytes> {
    const { settings } = await this.realms.of(realm);
    return settings.invite_required ? closed(visit) : this.forms.address(visit, '/register');
  }

  @Page('POST', '/register', { audience: 'public', summary: 'Ask to join', command: 'RequestRegistration' })
  ask(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(AddressParams) { email }: AddressParams,
  ): Promise<Bytes> {
    return this.request(visit, { realm, email, link: null, action: '/register' });
  }

  @Page('GET', '/join/:key', { audience: 'public', summary: 'Join by an invitation or a link' })
  async open(@Visit() visit: PageVisit, @AtRealm() realm: RealmId, @Params(LinkParams) { key }: LinkParams) {
    const link = await this.links.find(realm, key);
    return link.kind === 'person'
      ? this.forms.person(visit, realm, { token: key, link })
      : this.forms.address(visit, `/join/${key}/address`);
  }

  @Page('GET', '/accounts/do_confirm/:key', { audience: 'public', summary: 'Prove an address, and join' })
  confirm(@Visit() visit: PageVisit, @AtRealm() realm: RealmId, @Params(LinkParams) link: LinkParams): Promise<Bytes> {
    return this.open(visit, realm, link);
  }

  @Page('POST', '/join/:key/address', {
    audience: 'public',
    summary: 'Ask to join by a link',
    command: 'RequestRegistration',
  })
  askByLink(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(LinkAddressParams) { key, email }: LinkAddressParams,
  ): Promise<Bytes> {
    return this.request(visit, { realm, email, link: key, action: `/join/${key}/address` });
  }

  @Page('POST', '/join/:key', { audience: 'public', summary: 'Open an account', command: 'Join' })
  async join(
    @Visit() visit: PageVisit,
    @AtRealm() realm: RealmId,
    @Params(JoinParams) { key, full_name: fullName, password, channelGroups }: JoinParams,
  ): Promise<Bytes> {
    const input = { realmId: realm, token: key, fullName, password, channelGroups, origin: visit.origin };
    try {
      const { cookie } = await this.commands.execute(new Join(input, visit.cookies.get(SESSION_COOKIE)));
      visit.cookies.set(SESSION_COOKIE, cookie, { maxAge: SESSION_AGE_MS / 1000 });
      visit.renewForms();
      return visit.redirect('/welcome');
    } catch (error) {
      if (isOfNoUse(error)) throw error;
      const problem = visit.problem(error, fieldOf);
      const link = await this.links.find(realm, key);
      if (link.kind === 'link') throw error;
      return this.forms.person(visit, realm, { token: key, link, entered: { fullName, channelGroups, problem } });
    }
  }

  @Page('GET', '/welcome', { audience: 'session', summary: 'How to connect an app' })
  async welcome(@Visit() visit: PageVisit, @AtRealm() realm: RealmId): Promise<Bytes> {
    const { t, organization } = visit;
    const url = await this.addresses.at(realm, '');
    const body = html`<p>${t('invitations.welcomeHint')}</p>
      <h2>${t('invitations.connect')}</h2>
      <p>${t('invitations.connectHint')}</p>
      <p><code class="copy" dir="ltr">${url}</code></p>
      ${linkButton(t('invitations.yourAccount'), '/account')}`;
    return visit.page({ title: t('invitations.welcome', { organization: organization.name }), body });
  }

  /** The answer is the same whether or not the address has an account. */
  private async request(visit: PageVisit, asked: AskedMail): Promise<Bytes> {
    const { realm, email, link, action } = asked;
    const { t } = visit;
    try {
      if (email.length > MAX_EMAIL || !isEmail(email)) throw reject.badEmail();
      await this.mails.charge(realm, email, visit.info);
      await this.commands.execute(new RequestRegistration(realm, email, link, visit.origin));
    } catch (error) {
      if (isOfNoUse(error)) throw error;
      return this.forms.address(visit, action, { email, problem: visit.problem(error, () => 'email') });
    }
    const body = html`<p>${t('invitations.checkMailHint', { email })}</p>`;
    return visit.page({ title: t('invitations.checkMail'), body });
  }
}

/** A mail that somebody asks for. */
interface AskedMail {
  readonly realm: RealmId;
  readonly email: string;
  /** Token of the link that they use. */
  readonly link: string | null;
  /** Where the form leads to. */
  readonly action: string;
}

/** The field that a refusal is about, if it is about one. */
function fieldOf(refusal: Rejected): string | undefined {
  if (isAboutName(refusal)) return 'full_name';
  return isWeakPassword(refusal) ? 'password' : undefined;
}

/** A link that cannot be used is shown like one that never was. */
const isOfNoUse = (error: unknown): boolean => error instanceof Rejected && error.notFound;

function closed(visit: PageVisit): Bytes {
  const { t, organization } = visit;
  const body = html`<p>${t('invitations.closedHint', { organization: organization.name })}</p>
    <p>${t('invitations.haveAccount')} <a href="/login">${t('invitations.logIn')}</a></p>`;
  return visit.page({ title: t('invitations.closed'), body, status: 403 });
}

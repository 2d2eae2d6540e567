import { AuthenticationMethods, PASSWORD, RealmFacts, ServerFeatures } from '@annals/realm';
import type { RealmId } from '@annals/kernel/domain';
import type { Bytes, Html, PageVisit, Problem } from '@annals/web';
import { LOGIN_PAGE, button, field, html, linkButton, problemNotice } from '@annals/web';
import { Injectable } from '@nestjs/common';
import { ChannelChoices } from '../../application/channel-choices';
import type { OpenLink } from '../../application/open-links';
import { channelQuestion } from './channel-choices';

/** What somebody has entered before, and what was wrong with it. */
export interface Entered {
  readonly fullName?: string;
  readonly email?: string;
  readonly channelGroups?: readonly number[];
  readonly problem?: Problem;
}

/** Longest values, in UTF-16 units. The rules themselves count characters. */
const MAX_NAME = 200;
const MAX_EMAIL = 254;

/** The pages with forms on which people join. */
@Injectable()
export class JoinForms {
  constructor(
    private readonly methods: AuthenticationMethods,
    private readonly features: ServerFeatures,
    private readonly realms: RealmFacts,
    private readonly choices: ChannelChoices,
  ) {}

  /** Name and password of somebody whose address is known. Without passwords, the other ways to log in. */
  async person(
    visit: PageVisit,
    realm: RealmId,
    { token, link, entered = {} }: { token: string; link: OpenLink & { kind: 'person' }; entered?: Entered },
  ): Promise<Bytes> {
    const { t, organization } = visit;
    const methods = await this.methods.of(realm);
    const { subdomain } = await this.realms.of(realm);
    const buttons = this.features.signIn.buttonsOf(subdomain).filter(({ method }) => methods[method]);
    const fullName = entered.fullName ?? link.fullName ?? '';
    const groups = methods.Email ? await this.choices.offered(realm, link.invitationId) : [];
    const question = channelQuestion(visit, groups, entered.channelGroups);
    const fields = personFields(visit, { fullName, question, problem: entered.problem });
    const form = methods.Email ? visit.form(`/join/${token}`, fields) : null;
    const others = [
      // The link goes along: without it, an address that another system has proved is one that nobody invited.
      ...buttons.map(({ displayName, signupPath }) =>
        linkButton(t('invitations.joinWith', { name: displayName }), `${signupPath}?multiuse_object_key=${token}`),
      ),
      ...(methods.LDAP && !methods.Email
        ? [linkButton(t('invitations.logIn'), `${LOGIN_PAGE}?invitation=${token}`)]
        : []),
    ];
    const body = html`${problemNotice(entered.problem)}
      <p>${t('invitations.joinHint', { email: link.email })}</p>
      ${form} ${form === null && others.length > 0 ? html`<p>${t('invitations.joinElsewhere')}</p>` : null} ${others}
      ${form === null && others.length === 0 ? html`<p>${t('invitations.noWayIn')}</p>` : null}`;
    const status = entered.problem === undefined ? 200 : 400;
    return visit.page({ title: t('invitations.join', { organization: organization.name }), body, status });
  }

  /** The address of somebody who wants to join. @param action where the form leads to */
  address(visit: PageVisit, action: string, { email, problem }: Entered = {}): Bytes {
    const { t, organization } = visit;
    const address = field({
      name: 'email',
      label: t('invitations.email'),
      type: 'email',
      autocomplete: 'email',
      hint: t('invitations.emailHint'),
      max: MAX_EMAIL,
      isFirst: true,
      value: email,
      problem,
    });
    const body = html`${problemNotice(problem)}
      ${visit.form(action, html`${address} ${button(t('invitations.continueButton'))}`)}
      <p class="hint">${t('invitations.haveAccount')} <a href="${LOGIN_PAGE}">${t('invitations.logIn')}</a></p>`;
    const title = t('invitations.join', { organization: organization.name });
    return visit.page({ title, body, status: problem === undefined ? 200 : 400 });
  }
}

interface PersonFields {
  readonly fullName: string;
  readonly question: Html | null;
  readonly problem: Problem | undefined;
}

function personFields({ t }: PageVisit, { fullName, question, problem }: PersonFields): Html {
  const name = { name: 'full_name', label: t('invitations.name'), autocomplete: 'name', max: MAX_NAME } as const;
  return html`${field({ ...name, value: fullName, isFirst: true, problem })}
  ${field({
    name: 'password',
    label: t('invitations.password'),
    type: 'password',
    autocomplete: 'new-password',
    hint: t('invitations.passwordHint', { count: PASSWORD.minLength }),
    problem,
  })}
  ${question} ${button(t('invitations.joinButton'))}`;
}

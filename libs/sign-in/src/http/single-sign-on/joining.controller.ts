import { CHANNEL_GROUPS } from '@annals/invitations/http';
import type { RealmId } from '@annals/kernel/domain';
import type { Bytes } from '@annals/web';
import { AtRealm, Page, PageVisit, PathText, Params, SESSION_COOKIE, TextParam, TickedParam, Visit } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DesktopLogIn } from '../../application/single-sign-on/desktop-log-in';
import { JoinBySignOn } from '../../application/single-sign-on/finish-sign-on';
import { SignOnJoining } from '../../application/single-sign-on/sign-on-joining';
import { WaitingJoiners } from '../../application/single-sign-on/waiting-joiners';
import { reject } from '../../domain/single-sign-on/sign-on-rejections';
import { JOINING_COOKIE, SignOnAnswers, joiningPage } from './sign-on-answers';

class JoiningParams {
  @TextParam({ trim: true }) full_name = '';
  @TickedParam({ name: CHANNEL_GROUPS }) channelGroups: readonly number[] = [];
}

class DesktopParams {
  @PathText() token: string;
}

/** The last steps of people without an account, and of desktop apps. */
@Controller()
export class JoiningController {
  constructor(
    private readonly commands: CommandBus,
    private readonly waiting: WaitingJoiners,
    private readonly joining: SignOnJoining,
    private readonly answers: SignOnAnswers,
  ) {}

  @Page('POST', '/accounts/sign-on/join', {
    audience: 'public',
    summary: 'Open an account with an address that another system proved',
    command: 'JoinBySignOn',
  })
  async join(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(JoiningParams) { full_name: fullName, channelGroups }: JoiningParams,
  ): Promise<Bytes> {
    const token = visit.cookies.get(JOINING_COOKIE) ?? '';
    const joiner = await this.waiting.of(realmId, token);
    const browser = { realmId, origin: visit.origin, former: visit.cookies.get(SESSION_COOKIE) };
    try {
      const granted = await this.commands.execute(new JoinBySignOn(token, { fullName, channelGroups }, browser));
      visit.cookies.remove(JOINING_COOKIE);
      return this.answers.answer(visit, granted);
    } catch (error) {
      const problem = visit.problem(error);
      const offered = await this.joining.choicesOf({ realmId, ...joiner });
      const email = joiner.person.verifiedEmail ?? '';
      return joiningPage(visit, { email, fullName, offered, channelGroups }, problem);
    }
  }

  /** A desktop app opens this itself. A link of another site would log its reader in as somebody else. */
  @Page('GET', '/accounts/login/subdomain/:token', {
    audience: 'public',
    summary: 'Log a desktop app in',
    command: 'DesktopLogIn',
    evenIfFull: true,
  })
  async desktop(
    @AtRealm() realmId: RealmId,
    @Visit() visit: PageVisit,
    @Params(DesktopParams) { token }: DesktopParams,
  ): Promise<Bytes> {
    if (visit.isFromElsewhere) throw reject.flowEnded();
    const browser = { realmId, origin: visit.origin, former: visit.cookies.get(SESSION_COOKIE) };
    return this.answers.answer(visit, await this.commands.execute(new DesktopLogIn(token, browser)));
  }
}

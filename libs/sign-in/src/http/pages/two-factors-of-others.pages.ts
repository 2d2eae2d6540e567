import type { Actor } from '@annals/kernel/domain';
import { EndTwoFactorsOf } from '@annals/users';
import type { Bytes, Problem } from '@annals/web';
import { By, Page, PageVisit, Params, TextParam, Visit, button, field, html, notice, problemNotice } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

/** Where owners end two-factor login of others. */
export const OTHERS_PATH = '/account/two-factors/others';

class PersonParams {
  @TextParam({ max: 320, trim: true }) email: string;
}

/** How owners help people who have lost their app and all recovery codes. */
@Controller()
export class TwoFactorsOfOthersPages {
  constructor(private readonly commands: CommandBus) {}

  @Page('GET', OTHERS_PATH, { audience: 'session', summary: 'Somebody who has lost the app for codes' })
  show(@Visit() visit: PageVisit): Bytes {
    return page(visit, {});
  }

  @Page('POST', OTHERS_PATH, {
    audience: 'session',
    summary: 'End two-factor login of somebody else',
    command: 'EndTwoFactorsOf',
    evenIfFull: true,
  })
  async end(@Visit() visit: PageVisit, @By() by: Actor, @Params(PersonParams) { email }: PersonParams): Promise<Bytes> {
    try {
      await this.commands.execute(new EndTwoFactorsOf(by, email));
      return page(visit, { good: visit.t('signIn.othersEnded', { email }) });
    } catch (error) {
      return page(visit, { email, problem: visit.problem(error, () => 'email') });
    }
  }
}

interface SentPerson {
  readonly email?: string;
  readonly good?: string;
  readonly problem?: Problem;
}

function page(visit: PageVisit, { email, good, problem }: SentPerson): Bytes {
  const { t } = visit;
  const person = field({
    name: 'email',
    label: t('signIn.email'),
    type: 'email',
    value: email,
    isFirst: true,
    problem,
  });
  const body = html`${problemNotice(problem)} ${notice('good', good)}
    <p>${t('signIn.othersHint')}</p>
    ${visit.form(OTHERS_PATH, html`${person} ${button(t('signIn.othersEnd'))}`)}
    <p><a href="/account">${t('signIn.account')}</a></p>`;
  return visit.page({ title: t('signIn.others'), body, status: problem === undefined ? 200 : 400 });
}

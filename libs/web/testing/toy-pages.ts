import { Rejected } from '@annals/kernel/domain';
import { Controller } from '@nestjs/common';
import type { Bytes } from '../src/body/bytes';
import { Params } from '../src/endpoint';
import { TextParam } from '../src/params/decorators';
import { button, checkbox, field, problemNotice } from '../src/pages/form-parts';
import { html } from '../src/pages/html';
import { localPath } from '../src/pages/local-path';
import { Page } from '../src/pages/page';
import { PageVisit, Visit } from '../src/pages/page-visit';
import type { Problem } from '../src/pages/problem';

class WishParams {
  @TextParam({ optional: true, max: 1_000 }) wish?: string;
}

class NextParams {
  @TextParam({ optional: true }) next?: string;
}

/** Pages of the toy application. */
@Controller()
export class ToyPages {
  @Page('GET', '/wish', { audience: 'public', summary: 'A wish' })
  show(@Visit() visit: PageVisit, @Params(WishParams) { wish }: WishParams): Bytes {
    return wishPage(visit, wish);
  }

  @Page('POST', '/wish', { audience: 'public', summary: 'A wish', command: 'Wish' })
  make(@Visit() visit: PageVisit, @Params(WishParams) { wish }: WishParams): Bytes {
    try {
      if (wish === 'money') throw new Rejected('BAD_REQUEST', 'Not <that>');
      return visit.page({ title: 'Granted', body: html`<p>${wish}</p>` });
    } catch (error) {
      return wishPage(
        visit,
        wish,
        visit.problem(error, () => 'wish'),
      );
    }
  }

  @Page('POST', '/from-elsewhere', { audience: 'public', summary: 'For other sites', fromElsewhere: true })
  accept(@Visit() visit: PageVisit): Bytes {
    return visit.page({ title: 'Thanks', body: html``, formTargets: ['https://elsewhere.example.com'] });
  }

  @Page('GET', '/mine', { audience: 'session', summary: 'For people with a session' })
  mine(@Visit() visit: PageVisit): Bytes {
    return visit.page({ title: 'Mine', body: html`<p>Account ${visit.account?.userId ?? ''}</p>` });
  }

  @Page('POST', '/mine', { audience: 'session', summary: 'For people with a session' })
  change(@Visit() visit: PageVisit): Bytes {
    visit.renewForms();
    return visit.redirect('/mine');
  }

  @Page('GET', '/go', { audience: 'public', summary: 'Goes on' })
  go(@Visit() visit: PageVisit, @Params(NextParams) { next }: NextParams): Bytes {
    return visit.redirect(localPath(next) ?? '/wish');
  }

  @Page('GET', '/broken', { audience: 'public', summary: 'Fails' })
  broken(): Bytes {
    throw new Error('secret detail');
  }
}

function wishPage(visit: PageVisit, wish?: string, problem?: Problem): Bytes {
  const parts = html`${field({ name: 'wish', label: 'Your wish', value: wish, hint: 'One word', problem })}
  ${checkbox('sure', 'I am sure')} ${button('Send')}`;
  const body = html`${problemNotice(problem)} ${visit.form('/wish', parts)}`;
  return visit.page({ title: `Wish ${wish ?? ''}`, body, status: problem === undefined ? 200 : 400 });
}

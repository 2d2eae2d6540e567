import { Rejected } from '@annals/kernel/domain';
import { Controller } from '@nestjs/common';
import type { Bytes } from '../src/body/bytes';
import { Params } from '../src/endpoint';
import { TextParam } from '../src/params/decorators';
import { button, checkbox, field, notice } from '../src/pages/form-parts';
import { html } from '../src/pages/html';
import { localPath } from '../src/pages/local-path';
import { Page } from '../src/pages/page';
import { PageVisit, Visit } from '../src/pages/page-visit';

class WishParams {
  @TextParam({ optional: true }) wish?: string;
}

class NextParams {
  @TextParam({ optional: true }) next?: string;
}

/** Pages of the toy application. */
@Controller()
export class ToyPages {
  @Page('GET', '/wish', { audience: 'public', summary: 'A wish' })
  show(@Visit() visit: PageVisit, @Params(WishParams) { wish }: WishParams): Bytes {
    const parts = html`${field({ name: 'wish', label: 'Your wish', value: wish, hint: 'One word' })}
    ${checkbox('sure', 'I am sure')} ${button('Send')}`;
    return visit.page({ title: `Wish ${wish ?? ''}`, body: visit.form('/wish', parts) });
  }

  @Page('POST', '/wish', { audience: 'public', summary: 'A wish', command: 'Wish' })
  make(@Visit() visit: PageVisit, @Params(WishParams) { wish }: WishParams): Bytes {
    try {
      if (wish === 'money') throw new Rejected('BAD_REQUEST', 'Not <that>');
      return visit.page({ title: 'Granted', body: html`<p>${wish}</p>` });
    } catch (error) {
      return visit.page({ title: 'Refused', status: 400, body: html`${notice('bad', visit.problem(error))}` });
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

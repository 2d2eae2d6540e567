import type { RealmFront } from '@annals/kernel';
import { RealmByHost, RealmFronts } from '@annals/kernel';
import type { TextKey } from '@annals/languages';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ErrorAnswer } from '../answer/answer';
import type { Bytes } from '../body/bytes';
import { preferredType } from '../media-type';
import { API } from '../reference/endpoint-declaration';
import type { WebRequest } from '../request';
import { hostOf } from '../request';
import { html } from './html';
import { PageCookies } from './page-cookies';
import { PageVisit, SERVER_FRONT } from './page-visit';

/** Where people log in with a browser. */
export const LOGIN_PAGE = '/login';

interface Explained {
  readonly title: TextKey;
  readonly hint: TextKey;
}

const BY_CODE: Readonly<Record<string, Explained>> = {
  CSRF_FAILED: { title: 'pages.staleForm', hint: 'pages.staleFormHint' },
  NONEXISTENT_SUBDOMAIN: { title: 'pages.noOrganization', hint: 'pages.noOrganizationHint' },
};
const BY_STATUS: Readonly<Record<number, Explained>> = {
  404: { title: 'pages.notFound', hint: 'pages.notFoundHint' },
  429: { title: 'pages.tooMany', hint: 'pages.tooManyHint' },
  503: { title: 'pages.unavailable', hint: 'pages.unavailableHint' },
};

/**
 * Whether an error is shown to a person: a browser asks for pages, and programs for anything. The API answers both in its envelope.
 */
export const isForBrowser = ({ url, headers }: WebRequest): boolean =>
  !url.startsWith(`${API.slice(0, API.lastIndexOf('/'))}/`) &&
  preferredType(headers.accept, ['application/json', 'text/html']) === 'text/html';

/** Errors as pages, in the language of the visitor. */
@Injectable()
export class ErrorPages {
  constructor(
    private readonly realms: RealmByHost,
    private readonly fronts: RealmFronts,
  ) {}

  /** Sends the page, or sends the visitor to the login. */
  async send(request: WebRequest, reply: FastifyReply, answer: ErrorAnswer): Promise<void> {
    const visit =
      PageVisit.of(request) ??
      new PageVisit(request, reply, new PageCookies(request, reply), await this.front(request));
    const { status, headers, content } =
      answer.body.code === 'UNAUTHENTICATED_USER' ? this.toLogin(visit, request) : this.page(visit, request, answer);
    void reply.code(status).headers({ ...answer.headers, ...headers });
    void reply.send(content);
  }

  private toLogin(visit: PageVisit, { method, url }: WebRequest): Bytes {
    // What a form would have done is not done after the login, so the page of the form is shown again.
    const next = method === 'GET' ? `?next=${encodeURIComponent(url)}` : '';
    return visit.redirect(`${LOGIN_PAGE}${next}`);
  }

  private page(visit: PageVisit, { id }: WebRequest, { status, body, shown }: ErrorAnswer): Bytes {
    const { t } = visit;
    const explained = BY_CODE[body.code] ?? BY_STATUS[status];
    const title = explained?.title ?? (status >= 500 ? 'pages.somethingWrong' : 'pages.notAllowed');
    return visit.page({
      title: t(title),
      status,
      body: html`<p>${explained ? t(explained.hint) : visit.reason({ code: body.code, message: body.msg, shown })}</p>
        ${status >= 500 ? html`<p class="hint"><code>${id}</code></p>` : null}
        <p><a href="/">${t('pages.toStart')}</a></p>`,
    });
  }

  /** The organization may be what is missing, or the database that knows it. */
  private async front(request: WebRequest): Promise<RealmFront> {
    try {
      return await this.fronts.of(await this.realms.realmOf(hostOf(request)));
    } catch {
      return SERVER_FRONT;
    }
  }
}

import { Readable } from 'node:stream';
import type { RealmFront } from '@annals/kernel';
import type { Actor, Language, Origin } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import type { Translate } from '@annals/languages';
import { chosenLanguage, refusalText, translator } from '@annals/languages';
import type { ExecutionContext } from '@nestjs/common';
import { Logger, createParamDecorator } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Bytes } from '../body/bytes';
import type { WebRequest } from '../request';
import { RequestInfo, hostOf } from '../request';
import { hiddenField } from './form-parts';
import { formToken, renewFormSecret, TOKEN_FIELD } from './form-origin';
import type { Html } from './html';
import { html } from './html';
import { localPath } from './local-path';
import type { PageCookies } from './page-cookies';
import type { PageContent } from './page-shell';
import type { Problem } from './problem';
import { pageDocument, pageHeaders, SAFE_HEADERS } from './page-shell';

/** Shown where no organization is known. */
export const SERVER_FRONT: RealmFront = { name: 'Annals', language: 'en' };

/** The message of the log about a refusal without a text for pages. It is a mistake, which specs find by it. */
export const UNTRANSLATED_REFUSAL = 'a page showed a refusal in English';

const log = new Logger('request');

/** The visits of requests that were admitted. */
const visits = new WeakMap<WebRequest, PageVisit>();

/** What a page can say about a refusal. */
export type Reason = Pick<Rejected, 'code' | 'message' | 'shown'>;

/** One request of a browser for a page: its language, its cookies, and the answers that it may get. */
export class PageVisit {
  readonly language: Language;
  readonly t: Translate;
  readonly info: RequestInfo;

  constructor(
    private readonly request: WebRequest,
    reply: FastifyReply,
    readonly cookies: PageCookies,
    /** The organization of the page. */
    readonly organization: RealmFront,
  ) {
    this.info = new RequestInfo(request, reply);
    this.language = chosenLanguage(request.headers['accept-language'], organization.language);
    this.t = translator(this.language);
  }

  /** The visit of a request. Undefined before it was admitted, and outside pages. */
  static of(request: WebRequest): PageVisit | undefined {
    return visits.get(request);
  }

  /** From now on the request has this visit. */
  begin(): void {
    visits.set(this.request, this);
  }

  /** The person who has logged in. Undefined on a public page. */
  get account(): Actor | undefined {
    return this.request.user;
  }

  get origin(): Origin {
    return this.info.origin;
  }

  /** The host name at which the browser is. */
  get hostName(): string {
    return hostOf(this.request);
  }

  /** A page of another site sent the browser here. Browsers say so with https, and on the machine itself. */
  get isFromElsewhere(): boolean {
    return ['cross-site', 'same-site'].includes(this.info.header('sec-fetch-site') ?? '');
  }

  /** A form that is sent to a page of this server. @param action its path */
  form(action: string, body: Html): Html {
    return html`<form method="post" action="${action}">
      ${hiddenField(TOKEN_FIELD, formToken(this.cookies))} ${body}
    </form>`;
  }

  /** A whole page, as the answer. */
  page(content: PageContent): Bytes {
    const bytes = Buffer.from(pageDocument(content, this.organization.name, this.language));
    const headers = { ...pageHeaders(content.formTargets), 'Content-Length': String(bytes.length) };
    return new Bytes(content.status ?? 200, headers, Readable.from(this.info.wantsHeadersOnly ? [] : [bytes]));
  }

  /**
   * Sends the browser to another page of this server, after a POST too.
   *
   * @param path by the code, or from `localPath`, never as a request named it
   */
  redirect(path: string): Bytes {
    if (localPath(path) === undefined) throw new Error('a redirect leads to a path of this server');
    return this.leave(path);
  }

  /** Sends the browser to another server or to an app. @param url by the code, never as a request named it */
  leave(url: string): Bytes {
    return new Bytes(303, { ...SAFE_HEADERS, Location: url, 'Content-Length': '0' }, Readable.from([]));
  }

  /** Sends the browser to this page at another address of the organization. @param address without a slash at the end */
  moveTo(address: string): Bytes {
    return this.leave(`${address}${localPath(this.request.url) ?? '/'}`);
  }

  /** Forms that were loaded before are not accepted any more: the person of this browser changes. */
  renewForms(): void {
    renewFormSecret(this.cookies);
  }

  /**
   * The reason of a refusal, for the form that was sent.
   *
   * @param fieldOf the field that it is about
   * @throws any other error
   */
  problem(error: unknown, fieldOf?: (refusal: Rejected) => string | undefined): Problem {
    if (!(error instanceof Rejected)) throw error;
    // A limit is about no field.
    return { text: this.reason(error), field: error.code === 'RATE_LIMIT_HIT' ? undefined : fieldOf?.(error) };
  }

  /** A refusal in the language of the visitor. One that is declared for the API alone is in English, and logged. */
  reason({ code, message, shown }: Reason): string {
    if (shown) return refusalText(this.t, shown);
    log.warn({ msg: UNTRANSLATED_REFUSAL, code, page: this.request.routeOptions.url });
    return message;
  }
}

/** Handler argument of a page, of type `PageVisit`. */
export const Visit = createParamDecorator((_: unknown, context: ExecutionContext): PageVisit => {
  const visit = PageVisit.of(context.switchToHttp().getRequest<WebRequest>());
  if (!visit) throw new Error('@Visit() is used on a method without @Page()');
  return visit;
});

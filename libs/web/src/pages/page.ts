import { Endpoint } from '../endpoint';
import type { PageDeclaration } from '../reference/endpoint-declaration';

/** The declaration of a page beside its method and path. */
export interface PageOptions extends PageDeclaration {
  /** `public`, or `session` for people who have logged in with a browser. Others are sent to the login page. */
  readonly audience: 'public' | 'session';
  /** One line for the list of pages. */
  readonly summary: string;
  /** Name of the command that it sends. None for a page that only shows. */
  readonly command?: string;
  /** Also sends its command when the log of the organization has reached its limit: it logs in, or ends something. */
  readonly evenIfFull?: true;
}

/**
 * Declares a controller method as a page for browsers. It answers with what `PageVisit` makes: a page, or a redirect. A page is an
 * endpoint, so its parameters, limits and line in `routes.txt` are those of any other. It is not in the API reference.
 *
 * A POST must come from a form of this server (`PageVisit.form`), unless the options say `fromElsewhere`.
 *
 * @param path from the root of the server on, such as `/login` or `/join/:key`
 */
export const Page = (method: 'GET' | 'POST', path: `/${string}`, options: PageOptions): MethodDecorator => {
  const { audience, summary, command, evenIfFull, ...page } = options;
  const declared = { audience, summary, root: true, returns: null, page };
  const sends = command === undefined ? {} : { command, ...(evenIfFull === true && { evenIfFull }) };
  return Endpoint(method, path.slice(1), { ...declared, ...sends });
};

export { successShape } from './answer/answer-shape';
export type { EventSupply, SentEvent } from './answer/event-stream';
export { EventStreams } from './answer/event-streams';
export type { EndpointAudience } from './auth/audience';
export { Bytes } from './body/bytes';
export { pictureHeaders } from './body/picture-headers';
export { Endpoint, Params } from './endpoint';
export type { EndpointDeclaration, EndpointOptions, Method } from './reference/endpoint-declaration';
export { failure, success } from './answer/envelope';
export type { Protocol } from './answer/protocol';
export type { HttpAppOptions } from './http-app';
export { createHttpApp } from './http-app';
export { MailRequests } from './limits/mail-requests';
export { OrganizationSlots } from './limits/organization-slots';
export { LoginAttempts } from './auth/login-attempts';
export { preferredType } from './media-type';
export type { Box, Field } from './pages/form-parts';
export {
  button,
  checkbox,
  choices,
  entries,
  field,
  hiddenField,
  linkButton,
  notice,
  problemNotice,
} from './pages/form-parts';
export type { Html, HtmlValue } from './pages/html';
export { html, markup } from './pages/html';
export { localPath } from './pages/local-path';
export type { PageOptions } from './pages/page';
export { Page } from './pages/page';
export { LOGIN_PAGE } from './pages/error-pages';
export { SESSION_COOKIE } from './pages/page-cookies';
export type { PageContent } from './pages/page-shell';
export { PageVisit, UNTRANSLATED_REFUSAL, Visit } from './pages/page-visit';
export type { Problem } from './pages/problem';
export { Metrics } from './ops/metrics';
export { missingParameter } from './params/decode';
export type { JsonOptions, ParamOptions, QuotableOptions } from './params/decorators';
export {
  BooleanParam,
  CustomParam,
  IntegerParam,
  IntegersParam,
  JsonParam,
  MomentParam,
  PathId,
  PathText,
  TextParam,
  TickedParam,
  WordParam,
  unquoted,
} from './params/decorators';
export { AsOfParams, asOfShape, presentAsOf } from './params/as-of';
export { jsonParser, parseBoolean, parseInteger, parseJson } from './params/json';
export type { TextRules } from './params/text';
export { checkText, codePoints } from './params/text';
export { AtRealm, Bearer, By, Info, RequestInfo } from './request';
export type { Route } from './reference/routes';
export { Routes } from './reference/routes';
export type { FileLimit, SentFile } from './body/sent-file';
export { statusOf } from './answer/status';
export type { WebOptions } from './web.module';
export { WebModule } from './web.module';

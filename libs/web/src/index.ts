export { successShape } from './answer-shape';
export type { Audience } from './audience';
export { Bytes } from './bytes';
export { Endpoint, Params } from './endpoint';
export type { EndpointDeclaration, EndpointOptions, Method } from './endpoint-declaration';
export { failure, success } from './envelope';
export type { HttpAppOptions } from './http-app';
export { createHttpApp } from './http-app';
export { LoginAttempts } from './login-attempts';
export { Metrics } from './metrics';
export type { JsonOptions, ParamOptions, QuotableOptions } from './params/decorators';
export {
  BooleanParam,
  CustomParam,
  IntegerParam,
  IntegersParam,
  JsonParam,
  PathId,
  PathText,
  TextParam,
  WordParam,
  unquoted,
} from './params/decorators';
export { jsonParser, parseBoolean, parseInteger, parseJson } from './params/json';
export type { TextRules } from './params/text';
export { checkText, codePoints } from './params/text';
export { AtRealm, By, Info, RequestInfo } from './request';
export type { Route } from './routes';
export { Routes } from './routes';
export type { FileLimit, SentFile } from './sent-file';
export { statusOf } from './status';
export type { WebOptions } from './web.module';
export { WebModule } from './web.module';

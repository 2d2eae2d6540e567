export type { Audience } from './audience';
export type { EndpointDeclaration, EndpointOptions, Method } from './endpoint';
export { Endpoint, Params } from './endpoint';
export { AtRealm, By, Info, RequestInfo } from './request';
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
export type { TextRules } from './params/text';
export { checkText, codePoints } from './params/text';
export { parseBoolean, parseInteger, parseJson } from './params/json';

const EXPRESSIONS = /\{[^{}]*\}/g;
const NAME = '(?:\\w|%[\\da-fA-F]{2})+(?:\\.(?:\\w|%[\\da-fA-F]{2})+)*';
const VARIABLE = `${NAME}(?:\\*|:[1-9]\\d{0,3})?`;
const EXPRESSION = new RegExp(`^\\{[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*\\}$`);

/** The names of the variables of a URL template (RFC 6570), each once. Undefined if it is no template. */
export function templateVariables(template: string): readonly string[] | undefined {
  const expressions = template.match(EXPRESSIONS) ?? [];
  if (/[{}]/.test(template.replace(EXPRESSIONS, ''))) return undefined;
  if (!expressions.every((expression) => EXPRESSION.test(expression))) return undefined;
  const variables = expressions.flatMap((expression) => expression.replace(/^\{[+#./;?&]?|\}$/g, '').split(','));
  return [...new Set(variables.map((variable) => variable.replace(/(?:\*|:\d+)$/, '')))];
}

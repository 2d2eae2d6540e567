/** The patterns of the package, which has no types. */
declare module 'email-reply-parser/lib/regex.js' {
  const patterns: { readonly answerHeadersRegex: readonly RegExp[]; readonly signatureRegex: readonly RegExp[] };
  export default patterns;
}

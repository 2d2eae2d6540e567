/**
 * The layout of all mails in MJML, with placeholders of Handlebars, which escape every value. `npm run mail-layout` makes
 * `html.ts` of it, so that no process needs MJML.
 */
export const LAYOUT_MJML = `
<mjml lang="{{language}}" dir="{{direction}}">
  <mj-head>
    <mj-title>{{subject}}</mj-title>
    <mj-preview>{{preview}}</mj-preview>
    <mj-attributes>
      <mj-all font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif" />
      <mj-text font-size="15px" line-height="1.5" color="#1f2328" padding="8px 24px" align="{{@root.start}}" />
      <mj-button background-color="#2a5bd7" color="#ffffff" font-size="15px" border-radius="6px" align="{{@root.start}}" padding="12px 24px" />
    </mj-attributes>
    <mj-style>a { color: #2a5bd7; } img { max-width: 100%; }</mj-style>
  </mj-head>
  <mj-body background-color="#f3f4f6">
    <mj-section background-color="#ffffff" padding="16px 0" direction="{{direction}}">
      <mj-column direction="{{direction}}">
        <mj-raw>{{#each blocks}}{{#if heading}}</mj-raw>
        <mj-text font-size="19px" font-weight="600">{{#if url}}<a href="{{url}}" style="text-decoration:none">{{heading}}</a>{{else}}{{heading}}{{/if}}</mj-text>
        <mj-raw>{{/if}}{{#if text}}</mj-raw>
        <mj-text>{{#each text}}{{#unless @first}}<br />{{/unless}}{{this}}{{/each}}</mj-text>
        <mj-raw>{{/if}}{{#if button}}</mj-raw>
        <mj-button href="{{url}}">{{button}}</mj-button>
        <mj-raw>{{/if}}{{#if list}}</mj-raw>
        <mj-text>{{#each list}}{{#unless @first}}<br />{{/unless}}{{#if url}}<a href="{{url}}">{{text}}</a>{{else}}{{text}}{{/if}}{{/each}}</mj-text>
        <mj-raw>{{/if}}{{#if quote}}</mj-raw>
        <mj-text padding="4px 24px"><div style="border-{{@root.start}}:3px solid #d0d7de;padding:0 12px">{{#if quote.by}}<strong>{{quote.by}}</strong>{{/if}}<div dir="auto">{{{quote.html}}}</div></div></mj-text>
        <mj-raw>{{/if}}{{#if small}}</mj-raw>
        <mj-text font-size="12px" color="#59636e">{{#each small}}{{#unless @first}}<br />{{/unless}}{{this}}{{/each}}</mj-text>
        <mj-raw>{{/if}}{{/each}}</mj-raw>
      </mj-column>
    </mj-section>
    <mj-section padding="8px 0 24px" direction="{{direction}}">
      <mj-column direction="{{direction}}">
        <mj-text font-size="12px" color="#59636e">{{sentBy}} <a href="{{organizationUrl}}" dir="ltr">{{organizationUrl}}</a>{{#if unsubscribe}}<br /><a href="{{unsubscribe.url}}">{{unsubscribe.label}}</a>{{/if}}</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

/** The plain part of all mails. */
export const LAYOUT_TEXT = `{{#each blocks}}{{#if heading}}{{heading}}
{{#if url}}{{url}}
{{/if}}
{{/if}}{{#if text}}{{#each text}}{{this}}
{{/each}}
{{/if}}{{#if button}}{{button}}:
{{url}}

{{/if}}{{#if list}}{{#each list}}* {{text}}{{#if url}} {{url}}{{/if}}
{{/each}}
{{/if}}{{#if quote}}{{#if quote.by}}{{quote.by}}:
{{/if}}{{#each quote.lines}}> {{this}}
{{/each}}
{{/if}}{{#if small}}{{#each small}}{{this}}
{{/each}}
{{/if}}{{/each}}--\u0020
{{sentBy}} {{organizationUrl}}
{{#if unsubscribe}}{{unsubscribe.label}}: {{unsubscribe.url}}
{{/if}}`;

// Written by npm run mail-layout.

/** The layout of the HTML part of all mails, with placeholders of Handlebars. */
export const LAYOUT_HTML = `<!doctype html>
<html lang="{{language}}" dir="{{direction}}" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<title>{{subject}}</title>
<!--[if !mso]><!-->
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<!--<![endif]-->
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style type="text/css">
#outlook a { padding:0; }
body { margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%; }
table, td { border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt; }
img { border:0;height:auto;line-height:100%; outline:none;text-decoration:none;-ms-interpolation-mode:bicubic; }
p { display:block;margin:13px 0; }
</style>
<!--[if mso]>
<noscript>
<xml>
<o:OfficeDocumentSettings>
<o:AllowPNG/>
<o:PixelsPerInch>96</o:PixelsPerInch>
</o:OfficeDocumentSettings>
</xml>
</noscript>
<![endif]-->
<!--[if lte mso 11]>
<style type="text/css">
.mj-outlook-group-fix { width:100% !important; }
</style>
<![endif]-->
<style type="text/css">
@media only screen and (min-width:480px) {
.mj-column-per-100 { width:100% !important; max-width: 100%; }
}
</style>
<style media="screen and (min-width:480px)">
.moz-text-html .mj-column-per-100 { width:100% !important; max-width: 100%; }
</style>
<style type="text/css">
a { color: #2a5bd7; } img { max-width: 100%; }
</style>
</head>
<body  style="word-spacing:normal;background-color:#f3f4f6;">
<div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">{{preview}}</div>
<div
aria-label="{{subject}}" aria-roledescription="email" role="article" lang="{{language}}" dir="{{direction}}" style="word-spacing:normal;background-color:#f3f4f6;"
>
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:600px;" width="600" bgcolor="#ffffff" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div  style="background:#ffffff;background-color:#ffffff;margin:0px auto;max-width:600px;">
<table
align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="background:#ffffff;background-color:#ffffff;width:100%;"
>
<tbody>
<tr>
<td
style="direction:{{direction}};font-size:0px;padding:16px 0;text-align:center;"
>
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:600px;" ><![endif]-->
<div
class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:{{direction}};display:inline-block;vertical-align:top;width:100%;"
>
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top;" width="100%"
>
<tbody>
{{#each blocks}}{{#if heading}}
<tr>
<td
align="{{@root.start}}" style="font-size:0px;padding:8px 24px;word-break:break-word;"
>
<div
style="font-family:system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif;font-size:19px;font-weight:600;line-height:1.5;text-align:{{@root.start}};color:#1f2328;"
>{{#if url}}<a href="{{url}}" style="text-decoration:none">{{heading}}</a>{{else}}{{heading}}{{/if}}</div>
</td>
</tr>
{{/if}}{{#if text}}
<tr>
<td
align="{{@root.start}}" style="font-size:0px;padding:8px 24px;word-break:break-word;"
>
<div
style="font-family:system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif;font-size:15px;line-height:1.5;text-align:{{@root.start}};color:#1f2328;"
>{{#each text}}{{#unless @first}}<br />{{/unless}}{{this}}{{/each}}</div>
</td>
</tr>
{{/if}}{{#if button}}
<tr>
<td
align="{{@root.start}}" style="font-size:0px;padding:12px 24px;word-break:break-word;"
>
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:separate;line-height:100%;"
>
<tbody>
<tr>
<td
align="center" bgcolor="#2a5bd7" role="presentation" style="border:none;border-radius:6px;cursor:auto;mso-padding-alt:10px 25px;background:#2a5bd7;" valign="middle"
>
<a
href="{{url}}" style="display:inline-block;background:#2a5bd7;color:#ffffff;font-family:system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif;font-size:15px;font-weight:normal;line-height:120%;margin:0;text-decoration:none;text-transform:none;padding:10px 25px;mso-padding-alt:0px;border-radius:6px;" target="_blank"
>
{{button}}
</a>
</td>
</tr>
</tbody>
</table>
</td>
</tr>
{{/if}}{{#if list}}
<tr>
<td
align="{{@root.start}}" style="font-size:0px;padding:8px 24px;word-break:break-word;"
>
<div
style="font-family:system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif;font-size:15px;line-height:1.5;text-align:{{@root.start}};color:#1f2328;"
>{{#each list}}{{#unless @first}}<br />{{/unless}}{{#if url}}<a href="{{url}}">{{text}}</a>{{else}}{{text}}{{/if}}{{/each}}</div>
</td>
</tr>
{{/if}}{{#if quote}}
<tr>
<td
align="{{@root.start}}" style="font-size:0px;padding:4px 24px;word-break:break-word;"
>
<div
style="font-family:system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif;font-size:15px;line-height:1.5;text-align:{{@root.start}};color:#1f2328;"
><div style="border-{{@root.start}}:3px solid #d0d7de;padding:0 12px">{{#if quote.by}}<strong>{{quote.by}}</strong>{{/if}}<div dir="auto">{{{quote.html}}}</div></div></div>
</td>
</tr>
{{/if}}{{#if small}}
<tr>
<td
align="{{@root.start}}" style="font-size:0px;padding:8px 24px;word-break:break-word;"
>
<div
style="font-family:system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif;font-size:12px;line-height:1.5;text-align:{{@root.start}};color:#59636e;"
>{{#each small}}{{#unless @first}}<br />{{/unless}}{{this}}{{/each}}</div>
</td>
</tr>
{{/if}}{{/each}}
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:600px;" width="600" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div  style="margin:0px auto;max-width:600px;">
<table
align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;"
>
<tbody>
<tr>
<td
style="direction:{{direction}};font-size:0px;padding:8px 0 24px;text-align:center;"
>
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:600px;" ><![endif]-->
<div
class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:{{direction}};display:inline-block;vertical-align:top;width:100%;"
>
<table
border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top;" width="100%"
>
<tbody>
<tr>
<td
align="{{@root.start}}" style="font-size:0px;padding:8px 24px;word-break:break-word;"
>
<div
style="font-family:system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif;font-size:12px;line-height:1.5;text-align:{{@root.start}};color:#59636e;"
>{{sentBy}} <a href="{{organizationUrl}}" dir="ltr">{{organizationUrl}}</a>{{#if unsubscribe}}<br /><a href="{{unsubscribe.url}}">{{unsubscribe.label}}</a>{{/if}}</div>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</div>
</body>
</html>
`;

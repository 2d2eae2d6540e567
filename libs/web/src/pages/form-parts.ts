import type { Html } from './html';
import { html, markup } from './html';
import type { Problem } from './problem';

/** One line of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'url';
  /** What the browser may fill in, as HTML names it: `username`, `current-password`, `one-time-code`. */
  readonly autocomplete?: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  readonly isOptional?: boolean;
  /** Greatest length in UTF-16 units. */
  readonly max?: number;
  /** For codes of digits: a phone shows the keys for them. */
  readonly isNumeric?: boolean;
  /** The cursor is here at first, unless another field has a problem. At most one for a page. */
  readonly isFirst?: boolean;
  /** What was wrong with the form. It is shown here if it is about this field. */
  readonly problem?: Problem | undefined;
}

/** Texts that browsers neither correct nor begin with a capital letter. */
const EXACT: ReadonlySet<string> = new Set(['username', 'one-time-code']);
const VERBATIM = markup(' autocapitalize="none" spellcheck="false"');
/** Addresses, passwords and codes are written from left to right in every language. */
const LEFT_TO_RIGHT = markup(' dir="ltr"');

const flag = (name: string, isSet: boolean | undefined): Html | null => (isSet ? markup(` ${name}`) : null);

/** A labelled input. */
export function field(of: Field): Html {
  const { name, label, type = 'text', autocomplete = 'off', value, hint, isOptional, max, isNumeric, isFirst } = of;
  const problem = of.problem?.field === name ? of.problem.text : undefined;
  const isVerbatim = type !== 'text' || EXACT.has(autocomplete);
  const hasCursor = of.problem?.field === undefined ? isFirst : problem !== undefined;
  const described = [problem === undefined ? [] : `${name}-problem`, hint === undefined ? [] : `${name}-hint`].flat();
  return html`<label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      value="${value ?? ''}"
      ${described.length === 0 ? null : html` aria-describedby="${described.join(' ')}"`}${
        max === undefined ? null : html` maxlength="${max}"`
      }${problem === undefined ? null : markup(' aria-invalid="true"')}${
        isNumeric ? markup(' inputmode="numeric"') : null
      }${flag('required', !isOptional)}${flag('autofocus', hasCursor)}${isVerbatim ? VERBATIM : null}${
        isVerbatim ? LEFT_TO_RIGHT : null
      }
    />
    ${problem === undefined ? null : html`<p class="problem" id="${name}-problem" role="alert">${problem}</p>`}
    ${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}`;
}

/** A box to tick. */
export const checkbox = (name: string, label: string, isRequired = false): Html =>
  html`<label class="check"
    ><input type="checkbox" name="${name}" value="true" ${flag('required', isRequired)} /> <span>${label}</span></label
  >`;

/** One of the boxes of a question. */
export interface Box {
  readonly id: number;
  readonly label: string;
  readonly hint: string;
}

/** A question with boxes, any of which may be ticked. `TickedParam` reads them. */
export interface BoxQuestion {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly choices: readonly Box[];
  /** Ids of the boxes that are ticked at first. */
  readonly ticked: readonly number[];
}

/** The boxes of a question. */
export const choices = ({ name, label, hint, choices: all, ticked }: BoxQuestion): Html =>
  html`<fieldset aria-describedby="${name}-hint">
    <legend>${label}</legend>
    <p class="hint" id="${name}-hint">${hint}</p>
    ${all.map((one) => choice(name, one, ticked.includes(one.id)))}
  </fieldset>`;

const choice = (name: string, { id, label, hint }: Box, isTicked: boolean): Html =>
  html`<label class="check"
    ><input type="checkbox" name="${name}_${id}" value="true" ${flag('checked', isTicked)} />
    <span>${label}${hint === '' ? null : html` <span class="hint">${hint}</span>`}</span></label
  >`;

/** A value that a form sends back unchanged. */
export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** The button that sends a form. @param kind `quiet` beside a more important one, `small` in a table */
export const button = (label: string, kind: 'main' | 'quiet' | 'small' = 'main'): Html =>
  html`<button type="submit" class="${kind === 'small' ? 'quiet small' : kind}">${label}</button>`;

/** A link that looks like a button. */
export const linkButton = (label: string, href: string): Html =>
  html`<a class="button quiet" href="${href}">${label}</a>`;

/** What went wrong or well, above a form. Nothing without a text. Screen readers read it at once. */
export const notice = (kind: 'bad' | 'good', text: string | undefined): Html | null =>
  text === undefined ? null : html`<p class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`;

/** What was wrong with a form as a whole, above it. Nothing if it is shown beside a field. */
export const problemNotice = (problem: Problem | undefined): Html | null =>
  problem?.field === undefined ? notice('bad', problem?.text) : null;

/** Things of the same kind, one below the other. */
export const entries = (all: readonly Html[]): Html =>
  html`<ul class="entries">
    ${all.map((one) => html`<li>${one}</li>`)}
  </ul>`;

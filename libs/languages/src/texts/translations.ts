import type { Language } from '@annals/kernel/domain';
import { ar } from './ar/texts';
import { be } from './be/texts';
import { bg } from './bg/texts';
import { bn } from './bn/texts';
import { ca } from './ca/texts';
import { cs } from './cs/texts';
import { cy } from './cy/texts';
import { da } from './da/texts';
import { de } from './de/texts';
import { el } from './el/texts';
import { eo } from './eo/texts';
import { es } from './es/texts';
import { et } from './et/texts';
import { fa } from './fa/texts';
import { fi } from './fi/texts';
import { fr } from './fr/texts';
import { gl } from './gl/texts';
import { gu } from './gu/texts';
import { hi } from './hi/texts';
import { hu } from './hu/texts';
import { id } from './id/texts';
import { it } from './it/texts';
import { ja } from './ja/texts';
import { kk } from './kk/texts';
import { ko } from './ko/texts';
import { lt } from './lt/texts';
import { lv } from './lv/texts';
import { ml } from './ml/texts';
import { mn } from './mn/texts';
import { my } from './my/texts';
import { nl } from './nl/texts';
import { no } from './no/texts';
import { pl } from './pl/texts';
import { ptBr } from './pt-br/texts';
import { ptPt } from './pt-pt/texts';
import { ro } from './ro/texts';
import { ru } from './ru/texts';
import { si } from './si/texts';
import { sl } from './sl/texts';
import { sr } from './sr/texts';
import { sv } from './sv/texts';
import { ta } from './ta/texts';
import { tl } from './tl/texts';
import { tr } from './tr/texts';
import { uk } from './uk/texts';
import { vi } from './vi/texts';
import { zhHans } from './zh-hans/texts';
import { zhHant } from './zh-hant/texts';
import type { LanguageTexts } from './english';
import { english } from './english';

/** The texts of every language that has any. */
export const TRANSLATIONS: Readonly<Partial<Record<Language, LanguageTexts>>> = {
  en: english,
  'en-gb': english,
  ar,
  be,
  bg,
  bn,
  ca,
  cs,
  cy,
  da,
  de,
  el,
  eo,
  es,
  et,
  fa,
  fi,
  fr,
  gl,
  gu,
  hi,
  hu,
  id,
  it,
  ja,
  kk,
  ko,
  lt,
  lv,
  ml,
  mn,
  my,
  nl,
  no,
  pl,
  'pt-br': ptBr,
  'pt-pt': ptPt,
  ro,
  ru,
  si,
  sl,
  sr,
  sv,
  ta,
  tl,
  tr,
  uk,
  vi,
  'zh-hans': zhHans,
  'zh-hant': zhHant,
  // Nearest languages, for those that have no texts of their own.
  bqi: fa,
  pt: ptPt,
  'zh-tw': zhHant,
};

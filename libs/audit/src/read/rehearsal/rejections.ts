import { rejection } from '@annals/kernel/domain';

/** A decision that a rehearsal refuses. Nobody sees its text. */
export const mayNotDo = rejection('UNAUTHORIZED_PRINCIPAL', 'Insufficient permission');

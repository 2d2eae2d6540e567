import { subjectOf, typesOf } from '@annals/audit';
import { Kernel } from '@annals/kernel';
import { Injectable } from '@nestjs/common';
import type { Selection } from '../domain/consumer';
import type { ConsumerView } from '../domain/events';
import { reject } from '../domain/rejections';

/** What is left out is not checked. */
type AskedSelection = { readonly [Part in 'types' | 'subjects']?: Selection[Part] | undefined };

/** Checks what consumers want. */
@Injectable()
export class Selections {
  private readonly clientTypes: ReadonlySet<string>;

  constructor(private readonly kernel: Kernel) {
    const presenters = kernel.options.contexts.flatMap((context) => context.presenters);
    this.clientTypes = new Set(presenters.map(({ type }) => type));
  }

  /** @throws Rejected BAD_REQUEST for a type that does not exist, BAD_SUBJECT for a subject that is none */
  check(view: ConsumerView, { types, subjects }: AskedSelection): void {
    const { registry } = this.kernel;
    for (const subject of subjects ?? []) subjectOf(registry, subject);
    if (view === 'domain') typesOf(registry, types ?? []);
    const unknown = view === 'client' ? types?.find((type) => !this.clientTypes.has(type)) : undefined;
    if (unknown !== undefined) throw reject.noSuchType({ type: unknown });
  }
}

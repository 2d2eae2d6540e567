import { Kernel } from '@annals/kernel';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { subdomainProblem } from '../../domain/organization/addresses';
import { reject } from '../../domain/rejections';
import { findRealm } from './realm-by-host';

/** Why a new organization cannot have a subdomain. Null if it can. */
export class GetSubdomainProblem extends Query<string | null> {
  constructor(readonly subdomain: string) {
    super();
  }
}

@QueryHandler(GetSubdomainProblem)
export class GetSubdomainProblemHandler implements IQueryHandler<GetSubdomainProblem> {
  constructor(private readonly kernel: Kernel) {}

  async execute({ subdomain }: GetSubdomainProblem): Promise<string | null> {
    const problem = subdomainProblem(subdomain);
    if (problem !== null) return problem;
    return (await findRealm(this.kernel, subdomain)) === undefined ? null : reject.subdomainTaken().message;
  }
}

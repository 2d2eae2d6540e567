import type { UserId } from '@annals/kernel/domain';
import { PASSWORD } from '@annals/realm';
import type { PasswordSecret } from '@annals/users';
import { Passwords, ensureStrong } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../../domain/scim/json';

/** Passwords that directories set. Most set none, and nothing is hashed then. */
@Injectable()
export class NewPasswords {
  constructor(private readonly passwords: Passwords) {}

  /**
   * @returns a function that gives the hash of the password, or null without one. It hashes once, however often it is called
   * @throws Rejected BAD_REQUEST for a weak password
   */
  of(
    { password }: JsonObject,
    { email, fullName }: { readonly email: string; readonly fullName: string },
  ): (userId: UserId) => Promise<PasswordSecret | null> {
    if (typeof password !== 'string') return () => Promise.resolve(null);
    ensureStrong(password, PASSWORD, [email, fullName]);
    let secret: Promise<PasswordSecret> | undefined;
    return (userId) => (secret ??= this.passwords.secretOf(userId, password));
  }
}

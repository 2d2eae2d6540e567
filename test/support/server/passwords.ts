import { Passwords } from '@annals/users';
import { hash } from '@node-rs/argon2';

/** The product's hashing, which takes long on purpose. */
export const hashedByTheProduct = Passwords.prototype.hashed;

/** The least that argon2 takes, and argon2id (2) like the product: specs make a thousand accounts. */
const CHEAPEST = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 } as const;

Passwords.prototype.hashed = (password) => hash(password, CHEAPEST);

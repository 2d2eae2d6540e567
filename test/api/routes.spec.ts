import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Routes } from '@annals/web';
import type { Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { TestServer } from '../support/server/server';
import { startTestServer } from '../support/server/server';

const LIBS = join(__dirname, '../../libs');
/** Where the CQRS package notes what a handler handles; its names for these are not exported. */
const HANDLES = ['__commandHandler__', '__queryHandler__'];

let server: TestServer;
beforeAll(async () => (server = await startTestServer()));
afterAll(() => server.close());

const routes = () => app().get(Routes);
function app() {
  const api = server.apis[0];
  if (!api) throw new Error('no api runs');
  return api.app;
}

describe('the routes of the api', () => {
  it('each declare their audience', () => {
    const mounted = routes()
      .all()
      .filter(({ path }) => path.startsWith('/api/v1'));
    expect(mounted.length).toBeGreaterThan(10);
    expect(mounted.filter(({ endpoint }) => endpoint?.audience === undefined)).toEqual([]);
  });

  it('are those of routes.txt: method, path, audience and command', () => {
    expect(`${routes().table()}\n`).toBe(readFileSync(join(__dirname, 'routes.txt'), 'utf8'));
  });

  it('require a login, unless they are public', async () => {
    const closed = routes()
      .endpoints()
      .filter(({ audience, page }) => audience !== 'public' && page === undefined);
    const refusals = await Promise.all(
      closed.map(async ({ method: verb, path }) => {
        const answer = await fetch(server.url + path.replace(/:\w+/g, '1'), { method: verb });
        const { code, schemas } = (await answer.json()) as { code?: string; schemas?: readonly string[] };
        return `${verb} ${path} ${answer.status} ${code ?? schemas?.join() ?? ''}`;
      }),
    );
    const others: Readonly<Record<string, string>> = {
      'public-access': '401 UNAUTHENTICATED_USER',
      webhooks: '400 REQUEST_VARIABLE_MISSING',
      provisioning: '401 urn:ietf:params:scim:api:messages:2.0:Error',
    };
    const expected = closed.map(
      ({ method: verb, path, audience }) => `${verb} ${path} ${others[audience] ?? '401 UNAUTHORIZED'}`,
    );
    expect(refusals).toEqual(expected);
  });
});

describe('the pages', () => {
  const pages = () =>
    routes()
      .endpoints()
      .filter(({ page }) => page !== undefined);
  const ask = ({ method: verb, path }: { method: string; path: string }, headers: Record<string, string>) =>
    fetch(server.url + path.replace(/:\w+/g, '1'), { method: verb, headers, redirect: 'manual' });

  it('say in one line what they are for', () => {
    expect(pages().filter(({ summary }) => !summary)).toEqual([]);
  });

  it('send visitors without a session to the login where they are for people who have one', async () => {
    const closed = pages().filter(({ audience, method: verb }) => audience === 'session' && verb === 'GET');
    for (const page of closed) {
      const answer = await ask(page, { accept: 'text/html' });
      expect([page.path, answer.status, answer.headers.get('location')?.split('?')[0]]).toEqual([
        page.path,
        303,
        '/login',
      ]);
      expect((await ask(page, {})).status).toBe(401);
    }
  });

  it('accept no form of another site, unless they are for other sites', async () => {
    const protectedPages = pages().filter(({ method: verb, page }) => verb === 'POST' && !page?.fromElsewhere);
    for (const page of protectedPages) {
      const answer = await ask(page, { origin: 'https://evil.example.com' });
      expect([page.path, answer.status]).toEqual([page.path, 403]);
    }
  });
});

describe('commands and queries', () => {
  /** Handlers by the name of what they handle; one provided in two modules counts twice. */
  function handlers(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const { providers } of app().get(ModulesContainer).values()) {
      for (const { metatype } of providers.values()) {
        if (typeof metatype !== 'function') continue;
        for (const key of HANDLES) {
          const handled = Reflect.getMetadata(key, metatype) as Type | undefined;
          if (handled) found.set(handled.name, [...(found.get(handled.name) ?? []), metatype.name]);
        }
      }
    }
    return found;
  }

  it('have exactly one handler each', () => {
    const declared = readdirSync(LIBS, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^[\w-]+\/src\/(application|read|register|feed)\/.*\.ts$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(LIBS, file), 'utf8').matchAll(/class (\w+) extends (?:Command|Query)</g),
      ])
      .map(([, name]) => name)
      .sort();
    const handled = handlers();
    expect(declared.length).toBeGreaterThan(10);
    expect([...handled.keys()].sort()).toEqual(declared);
    expect([...handled.values()].filter((names) => names.length !== 1)).toEqual([]);
  });

  it('that routes name exist', () => {
    const known = handlers();
    const named = routes()
      .endpoints()
      .flatMap(({ command }) => (command === undefined ? [] : [command]));
    expect(named.filter((command) => !known.has(command))).toEqual([]);
  });
});

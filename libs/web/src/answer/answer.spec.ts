import { Rejected } from '@annals/kernel/domain';
import { ForbiddenException, InternalServerErrorException, NotFoundException } from '@nestjs/common';
import { answerTo } from './answer';

const withCode = (code: string, message = 'secret') => Object.assign(new Error(message), { code });

describe('the answer to an error', () => {
  it.each([
    ['BAD_REQUEST', 400],
    ['UNAUTHORIZED_PRINCIPAL', 400],
    ['STREAM_DOES_NOT_EXIST', 400],
    ['UNAUTHORIZED', 401],
    ['INVALID_API_KEY', 401],
    ['AUTHENTICATION_FAILED', 401],
    ['USER_DEACTIVATED', 401],
    ['ADMIN_ACTION_REQUIRED', 403],
    ['NOT_FOUND', 404],
    ['NONEXISTENT_SUBDOMAIN', 404],
    ['CHANNEL_ALREADY_EXISTS', 409],
    ['RATE_LIMIT_HIT', 429],
    ['FAILED_TO_CONNECT_BOUNCER', 502],
  ])('%s has status %i', (code, status) => {
    expect(answerTo(new Rejected(code, 'No', { stream_id: 5 }))).toEqual({
      status,
      body: { result: 'error', msg: 'No', code, stream_id: 5 },
      headers: {},
    });
  });

  it('the "not found" class has status 404 whatever its code', () => {
    expect(answerTo(new Rejected('BAD_REQUEST', 'No such snippet', {}, { notFound: true })).status).toBe(404);
  });

  it('the seconds of a wait are also in a header', () => {
    const answer = answerTo(new Rejected('RATE_LIMIT_HIT', 'Slow down', { 'retry-after': 28.7 }));
    expect(answer.headers).toEqual({ 'Retry-After': '28.7' });
  });

  it('refusals of the framework have BAD_REQUEST and their own status', () => {
    expect(answerTo(new ForbiddenException('No'))).toMatchObject({ status: 403, body: { code: 'BAD_REQUEST' } });
    expect(answerTo(new NotFoundException())).toMatchObject({ status: 404, body: { code: 'BAD_REQUEST' } });
  });

  it.each([
    withCode('57P01'),
    withCode('57P03'),
    withCode('08006'),
    withCode('53300'),
    withCode('53100'),
    withCode('25006'),
    withCode('25P03'),
    withCode('ENOSPC'),
    withCode('ECONNREFUSED'),
    withCode('ECONNRESET'),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    new Error('query failed', { cause: withCode('57P02') }),
    Object.assign(new Error('too much is waiting'), { name: 'Overloaded' }),
  ])('a database that is unavailable, or too much work, is 503: %s', (error) => {
    const answer = answerTo(error);
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    expect(answer.body).toMatchObject({ result: 'error', code: 'SERVICE_UNAVAILABLE' });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it.each([
    new TypeError('secret'),
    withCode('23505'),
    withCode('22P05'),
    new InternalServerErrorException('secret'),
    'secret',
    { secret: true },
    undefined,
    null,
  ])('anything else is 500 without details: %s', (error) => {
    expect(answerTo(error)).toEqual({
      status: 500,
      body: { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' },
      headers: {},
      shown: { name: 'serverError', values: {} },
    });
  });
});

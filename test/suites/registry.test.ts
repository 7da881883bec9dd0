import { expect, it } from 'vitest';
import { findSuite, suiteNames } from '../../src/suites/registry.ts';
import { faultOf } from '../fault.ts';

it('finds every suite by its name', () => {
  expect(suiteNames().map((name) => findSuite(name).name)).toEqual(suiteNames());
  expect(new Set(suiteNames()).size).toBe(suiteNames().length);
});

it('lists the names where one is unknown', async () => {
  const { code, message } = await faultOf(async () => findSuite('crowd'));
  expect(code).toBe('bad_argument');
  expect(message).toBe(`there is no suite "crowd"; use one of: ${suiteNames().join(', ')}`);
});

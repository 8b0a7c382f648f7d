import { expect, it } from 'vitest';
import { OnTheWay } from './on-the-way.js';

const letIn = (onTheWay: OnTheWay, tenant = 'acme') => {
  const look = onTheWay.watch(tenant);
  const hasArrived = look.add();
  look.release();
  return hasArrived;
};
const countOf = (onTheWay: OnTheWay, tenant = 'acme') => {
  const look = onTheWay.watch(tenant);
  look.release();
  return look.count;
};

it('what was let in counts until it is in the line', () => {
  const onTheWay = new OnTheWay();
  const [first, second] = [letIn(onTheWay), letIn(onTheWay)];
  expect(countOf(onTheWay)).toBe(2);
  first();
  expect(countOf(onTheWay)).toBe(1);
  second();
  expect(countOf(onTheWay)).toBe(0);
});

it('what was let in, or has arrived, while somebody looked counts for that look', () => {
  const onTheWay = new OnTheWay();
  const look = onTheWay.watch('acme');
  letIn(onTheWay)();
  expect(countOf(onTheWay)).toBe(0);
  expect(look.count).toBe(1);
  look.release();
  expect(countOf(onTheWay)).toBe(0);
});

it('what another tenant has on the way does not count', () => {
  const onTheWay = new OnTheWay();
  letIn(onTheWay, 'umbrella');
  expect(countOf(onTheWay)).toBe(0);
});

import { expect, it } from 'vitest';
import { PendingQuestions } from './pending-questions.js';

const admit = (questions: PendingQuestions, tenant = 'acme') => {
  const check = questions.startCheck(tenant);
  const pending = check.admit();
  check.end();
  return pending;
};
const pendingIn = (questions: PendingQuestions, tenant = 'acme') => {
  const check = questions.startCheck(tenant);
  check.end();
  return check.pending;
};

it('an admitted question is pending until it is in the queue', () => {
  const questions = new PendingQuestions();
  const [first, second] = [admit(questions), admit(questions)];
  expect(pendingIn(questions)).toBe(2);
  first.end();
  expect(pendingIn(questions)).toBe(1);
  second.end();
  expect(pendingIn(questions)).toBe(0);
});

it('a question that is admitted and enqueued during a check is pending for that check', () => {
  const questions = new PendingQuestions();
  const check = questions.startCheck('acme');
  admit(questions).end();
  expect(pendingIn(questions)).toBe(0);
  expect(check.pending).toBe(1);
  check.end();
  expect(pendingIn(questions)).toBe(0);
});

it("another tenant's pending questions do not count", () => {
  const questions = new PendingQuestions();
  admit(questions, 'umbrella');
  expect(pendingIn(questions)).toBe(0);
});

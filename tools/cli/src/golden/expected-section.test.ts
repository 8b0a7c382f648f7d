import { expect, it } from 'vitest';
import { isExpectedSection, isInSection } from './expected-section.js';

const page = 'https://x.org/docs/ros2/qos';

it.each([
  ['the path ends its URL and the anchor is its own', 'ros2/qos#durability', `${page}#durability`],
  ['the page is named by its last name alone', 'qos#durability', `${page}#durability`],
  ['the path begins with a slash', '/ros2/qos#durability', `${page}#durability`],
  ['the full URL is expected', `${page}#durability`, `${page}#durability`],
  ['no anchor is expected and it stands in the introduction', 'ros2/qos', page],
  ['only a trailing slash differs', 'ros2/qos/#durability', `${page}#durability`],
  ['only a trailing slash of its own differs', 'ros2/qos#durability', `${page}/#durability`],
  ['only .html differs', 'ros2/qos#durability', `${page}.html#durability`],
  ['only an expected .html differs', 'ros2/qos.html#durability', `${page}#durability`],
  [
    'only the encoding differs',
    'ros2/qualität#zuverlässig',
    'https://x.org/ros2/qualit%C3%A4t#zuverl%C3%A4ssig',
  ],
  ['the start page is expected and its URL ends in a slash', '/#start', 'https://x.org/docs/#start'],
  ['the start page is expected and its URL ends in index.html', '/', 'https://x.org/docs/index.html'],
  ['the site root is expected by its URL', 'https://x.org/#start', 'https://x.org/#start'],
])('a chunk is in an expected section when %s', (_, expected, url) => {
  expect(isInSection(expected, { url })).toBe(true);
});

it("a chunk is in an expected section when the expected anchor is one of its headings'", () => {
  const chunk = { url: `${page}#reliability`, anchors: ['reliability', 'durability'] };
  expect(isInSection('ros2/qos#durability', chunk)).toBe(true);
  expect(isInSection('ros2/qos#history', chunk)).toBe(false);
  expect(isInSection('ros2/qos#zuverlässig', { url: page, anchors: ['zuverlässig'] })).toBe(true);
});

it.each([
  ['the anchor differs', 'ros2/qos#durability', `${page}#reliability`],
  ['an anchor is expected and it stands in the introduction', 'ros2/qos#durability', page],
  ['no anchor is expected and it stands below a heading', 'ros2/qos', `${page}#durability`],
  ['the page is another one', 'ros2/nodes#durability', `${page}#durability`],
  ['the path ends its URL in the middle of a name', 'os#durability', `${page}#durability`],
  ['only the folder differs', 'ros1/qos#durability', `${page}#durability`],
  ['the path goes on after the expected one', 'docs/ros2#durability', `${page}#durability`],
  ['the site of a full URL differs', 'https://y.org/docs/ros2/qos#durability', `${page}#durability`],
  ['a full URL is only the end of its own', 'https://x.org/ros2/qos#durability', `${page}#durability`],
  ['the start page is expected and its URL goes on', '/#durability', `${page}#durability`],
  ['the anchor of the start page differs', '/#start', 'https://x.org/docs/#end'],
  ['the case differs', 'ros2/QoS#durability', `${page}#durability`],
])('a chunk is not in an expected section when %s', (_, expected, url) => {
  expect(isInSection(expected, { url })).toBe(false);
});

it.each([
  'qos',
  'ros2/qos#durability',
  '/ros2/qos/',
  'https://x.org/#start',
  'https://x.org',
  '/',
  '/#start',
])('%s is a valid expected section', (text) => {
  expect(isExpectedSection(text)).toBe(true);
});

it.each(['', '#durability', ' qos', 'ros2/q os', 'https://'])('%j is no valid expected section', (text) => {
  expect(isExpectedSection(text)).toBe(false);
});

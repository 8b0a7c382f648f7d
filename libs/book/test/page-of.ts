import type { Page } from '@quire/shared/contracts';

export function pageOf(text: string, over: Partial<Page> = {}): Page {
  return {
    path: 'ros2/qos.md',
    format: 'markdown',
    layout: 'docusaurus',
    base_url: 'https://book.example/docs',
    text,
    ...over,
  };
}

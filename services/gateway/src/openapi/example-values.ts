export const EXAMPLE_REQUEST_ID = '303e2d52-a741-42d4-acf2-2b8c3b834c85';
export const EXAMPLE_SESSION_ID = 'd605987a-6636-4d7e-9a43-ea2afd5f664c';
export const EXAMPLE_TIME = '2026-11-18T03:15:47.669Z';

export const examplePassage = {
  source_url: 'https://physical-ai.example/docs/ros2/nodes-and-topics#the-computation-graph',
  title: 'Nodes and Topics',
  chapter: 'Nodes and Topics',
  section: 'The computation graph',
  module: 'ros2',
  chunk_position: 1,
  similarity_score: 0.6834,
  snippet: 'A **topic** is a named stream of messages of one fixed type. Nodes *publish* to topics…',
  chunk_id: 'ce35ee60-5ef8-56f7-9fd6-00eb0ece5b05',
  content_hash: 'bef706b57f12035c655e753ac91fcc936ad0bab5f7f3d8eb879aa1ea8b03e04e',
};

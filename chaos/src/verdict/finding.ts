export type Harm = 'lost' | 'doubled' | 'hung';

/** A violation of what the product promises for a question. */
export interface Finding {
  harm: Harm;
  what: string;
}

export const lost = (what: string): Finding => ({ harm: 'lost', what });
export const doubled = (what: string): Finding => ({ harm: 'doubled', what });
export const hung = (what: string): Finding => ({ harm: 'hung', what });

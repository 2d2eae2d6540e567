/** The parts of the library that specs use. It has no types of its own. */
declare module 'zulip-js' {
  namespace zulip {
    interface Answer {
      readonly result: string;
      readonly msg: string;
      readonly [field: string]: unknown;
    }
    type Call = (params?: Readonly<Record<string, unknown>>) => Promise<Answer>;
    interface Client {
      readonly config: { readonly apiKey: string };
      callEndpoint(path: string, method?: string, params?: Readonly<Record<string, unknown>>): Promise<Answer>;
      callOnEachEvent(callback: (event: Answer) => void, eventTypes?: readonly string[]): Promise<never>;
      readonly accounts: { readonly retrieve: Call };
      readonly streams: {
        readonly retrieve: Call;
        getStreamId(name: string): Promise<Answer>;
        readonly subscriptions: { readonly retrieve: Call };
      };
      readonly messages: {
        readonly retrieve: Call;
        readonly send: Call;
        readonly update: Call;
        readonly getById: Call;
      };
      readonly queues: { readonly register: Call; readonly deregister: Call };
      readonly events: { readonly retrieve: Call };
      readonly users: {
        readonly retrieve: Call;
        readonly create: Call;
        readonly me: { getProfile(): Promise<Answer>; readonly subscriptions: { readonly add: Call } };
      };
      readonly server: { settings(): Promise<Answer> };
    }
  }
  function zulip(config: {
    username: string;
    password?: string;
    apiKey?: string;
    realm: string;
  }): Promise<zulip.Client>;
  export = zulip;
}

//! The client against real servers on loopback, which it reaches only where a test allows it by address.
#![expect(clippy::disallowed_methods, reason = "these tests are about real servers and real time")]

use landfall::edge::http::HttpClient;
use landfall::explore::fetch::{FetchError, Fetched, Limits, Reader};
use landfall::explore::policy::SourcePolicy;
use std::io::{BufRead as _, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A server that answers each request by its path, and keeps the requests it saw.
struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
}

fn serve(answer: impl Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
    let address = listener.local_addr().expect("its address");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (kept, answer) = (Arc::clone(&seen), Arc::new(answer));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
            std::thread::spawn(move || {
                let mut stream = stream;
                let mut head = String::new();
                let mut lines = BufReader::new(stream.try_clone().expect("a second handle")).lines();
                while let Some(Ok(line)) = lines.next() {
                    if line.is_empty() {
                        break;
                    }
                    head.push_str(&line);
                    head.push('\n');
                }
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                kept.lock().expect("nobody panics with it").push(head);
                // The client may hang up first; that is what some tests are about.
                let _ = answer(&path, &mut stream);
            });
        }
    });
    Server { address, seen }
}

fn plain(stream: &mut TcpStream, status: &str, more: &str, body: &str) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n{body}", body.len())
}

impl Server {
    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

const SMALL: Limits = Limits { seconds: 1.5, connect_seconds: 1.0, body_bytes: 64 << 10, redirects: 5 };

fn read(server: &Server, path: &str, policy: SourcePolicy) -> Fetched {
    let mut client = HttpClient::new(&policy.user_agent, SMALL, vec![server.address]);
    Reader::new(SourcePolicy { most_per_window: 100, ..policy }, SMALL).read(&server.url(path), &mut client, 0.0)
}

fn without_robots() -> SourcePolicy {
    SourcePolicy { respect_robots: false, ..SourcePolicy::default() }
}

#[test]
fn a_page_is_read_and_robots_are_obeyed() {
    let server = serve(|path, stream| match path {
        "/robots.txt" => plain(stream, "200 OK", "", "User-agent: landfall\nDisallow: /private\n"),
        "/moved" => plain(stream, "302 Found", "Location: /page?x=1\r\n", ""),
        "/leads-in" => plain(stream, "302 Found", "Location: /private/x\r\n", ""),
        _ => plain(stream, "200 OK", "Content-Type: text/html\r\n", "<p>agents</p>"),
    });
    for path in ["/page", "/moved"] {
        let Fetched::Answered(_, answer) = read(&server, path, SourcePolicy::default()) else { panic!("{path} is permitted") };
        assert_eq!((answer.status, answer.body.as_slice()), (200, b"<p>agents</p>".as_slice()));
    }
    assert_eq!(read(&server, "/private/x", SourcePolicy::default()), Fetched::RobotsDisallowed);
    assert_eq!(read(&server, "/leads-in", SourcePolicy::default()), Fetched::RobotsDisallowed);
    let seen = server.seen.lock().expect("nobody panics with it");
    assert!(seen.iter().all(|head| !head.starts_with("GET /private")), "what is forbidden was never asked for");
    assert!(seen.iter().all(|head| head.to_lowercase().contains("user-agent: landfall/")), "we say who we are");
}

#[test]
fn a_site_in_trouble_is_left_alone() {
    let server = serve(|path, stream| match path {
        "/robots.txt" => plain(stream, "503 Busy", "", ""),
        _ => plain(stream, "200 OK", "", "x"),
    });
    assert_eq!(read(&server, "/page", SourcePolicy::default()), Fetched::RobotsDisallowed);
    let busy = serve(|_, stream| plain(stream, "429 Too Many Requests", "Retry-After: 30\r\n", ""));
    let Fetched::Answered(_, answer) = read(&busy, "/page", without_robots()) else { panic!("it answered") };
    assert_eq!((answer.status, answer.retry_after.as_deref()), (429, Some("30")));
}

#[test]
fn no_way_leads_into_the_private_network() {
    let inner = serve(|_, stream| plain(stream, "200 OK", "", "secret"));
    let to_inner = inner.url("/secret");
    let outer = serve(move |_, stream| plain(stream, "302 Found", &format!("Location: {to_inner}\r\n"), ""));
    assert_eq!(read(&outer, "/", without_robots()), Fetched::Failed(FetchError::PrivateAddress), "not by a redirect");
    let mut client = HttpClient::new("landfall", SMALL, Vec::new());
    let mut reader = Reader::new(without_robots(), SMALL);
    let port = inner.address.port();
    for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "0x7f.1", "017700000001"] {
        let said = format!("http://{host}:{port}/secret");
        let ended = reader.read(&said, &mut client, 0.0);
        assert!(matches!(ended, Fetched::Failed(FetchError::PrivateAddress | FetchError::Failed(_))), "{said}: {ended:?}");
    }
    assert!(inner.seen.lock().expect("nobody panics with it").is_empty(), "nothing ever reached it");
}

#[test]
fn a_body_without_end_ends() {
    let endless = serve(|_, stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
        loop {
            stream.write_all(&[b'x'; 4096])?;
        }
    });
    assert_eq!(read(&endless, "/", without_robots()), Fetched::Failed(FetchError::TooLarge(SMALL.body_bytes)));
    let slow = serve(|_, stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
        loop {
            stream.write_all(b"x")?;
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let before = Instant::now();
    let ended = read(&slow, "/", without_robots());
    assert!(matches!(ended, Fetched::Failed(FetchError::TimedOut | FetchError::Failed(_))), "{ended:?}");
    assert!(before.elapsed() < Duration::from_secs(20), "it gave up");
    let silent = serve(|_, _| {
        std::thread::sleep(Duration::from_secs(30));
        Ok(())
    });
    assert!(matches!(read(&silent, "/", without_robots()), Fetched::Failed(_)));
    let headers = serve(|_, stream| {
        write!(stream, "HTTP/1.1 200 OK\r\n")?;
        loop {
            stream.write_all(b"X-More: yes\r\n")?;
        }
    });
    assert!(matches!(read(&headers, "/", without_robots()), Fetched::Failed(_)));
}

#[test]
fn a_server_that_speaks_no_tls_is_no_source() {
    let server = serve(|_, stream| plain(stream, "200 OK", "", "x"));
    let mut client = HttpClient::new("landfall", SMALL, vec![server.address]);
    let said = format!("https://{}/", server.address);
    let ended = Reader::new(without_robots(), SMALL).read(&said, &mut client, 0.0);
    assert!(matches!(ended, Fetched::Failed(FetchError::Failed(_) | FetchError::TimedOut)), "{ended:?}");
}
